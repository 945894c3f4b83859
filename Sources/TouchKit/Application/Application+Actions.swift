/// Actions sent by name, and remote-control events.
extension Application {
    /// Sends an action to a responder (`UIApplication.sendAction(_:to:from:for:)`).
    ///
    /// With a nil target the search starts at the first responder of the key window, or else at the sender.
    /// It continues up the responder chain to the first responder that can perform the action.
    /// - Returns: whether a responder performed the action.
    @discardableResult
    public func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: Event?) -> Bool {
        let receiver: Responder?
        if let target {
            receiver = target as? Responder
        } else {
            let place = sender as? Responder ?? (sender as? GestureRecognizer)?.view
            let start = keyWindow?.firstResponder ?? place ?? placelessReceiver
            receiver = start.target(forAction: action, withSender: sender) as? Responder
        }
        guard let receiver, receiver.canPerformAction(action, withSender: sender) else {
            // UIKit raises an exception if the target cannot perform the action; a kiosk reports it and continues.
            if let target {
                didReport?(.actionNotPerformed(action: action.description, target: "\(type(of: target))"))
            }
            return false
        }
        receiver.perform(action, with: sender, for: event)
        return true
    }

    /// Delivers media keys as remote-control events from now on; UIKit requires the same call.
    public func beginReceivingRemoteControlEvents() { isReceivingRemoteControlEvents = true }

    /// Delivers media keys as presses again.
    public func endReceivingRemoteControlEvents() { isReceivingRemoteControlEvents = false }
}
