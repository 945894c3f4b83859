/// Actions sent by name, and remote-control events.
extension Application {
    /// Has a responder perform an action (`UIApplication.sendAction(_:to:from:for:)`).
    ///
    /// Without a target the action goes to the first responder of the key window, or without one to the sender, and from
    /// there up the chain to the first that can perform it.
    /// - Returns: whether anything performed it.
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
            // UIKit ends a program that names a target and has it do what it cannot; a kiosk goes on.
            if let target {
                didReport?(.actionNotPerformed(action: action.description, target: "\(type(of: target))"))
            }
            return false
        }
        receiver.perform(action, with: sender, for: event)
        return true
    }

    /// Makes media keys remote-control events from now on; UIKit asks for the same call.
    public func beginReceivingRemoteControlEvents() { isReceivingRemoteControlEvents = true }

    /// Makes media keys presses again.
    public func endReceivingRemoteControlEvents() { isReceivingRemoteControlEvents = false }
}
