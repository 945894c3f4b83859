import Evdev
import Foundation

/// The buttons and keys that are held. All phases of a press go to the responder that received its beginning; it ends
/// or is cancelled once. So does the seeking of a media key.
final class PressTracker {
    private unowned let application: Application
    private var active: [Press] = []

    init(application: Application) { self.application = application }

    /// Processes the change of a key and sends the event.
    func process(_ change: KeyChange, of device: DeviceID, at timestamp: TimeInterval) {
        let press = active.first { $0.device == device && $0.pressedKey.code == change.code }
        switch change.action {
        case .pressed:
            guard press == nil, !application.isIgnoringEvents else { return }
            let receiver = application.placelessReceiver
            let press = Press(
                device: device, key: Key(code: change.code), timestamp: timestamp, responder: receiver,
                window: receiver.owningWindow)
            press.isCommand = application.isReceivingRemoteControlEvents && press.pressedKey.isRemoteControl
            active.append(press)
            send(press, timestamp)
        case .repeated:
            guard let press else { return }
            press.phase = .changed
            press.timestamp = timestamp
            press.isPending = true
            send(press, timestamp)
        case .released, .cancelled:
            guard let press else { return }
            press.phase = change.action == .released ? .ended : .cancelled
            press.timestamp = timestamp
            press.isPending = true
            active.removeAll { $0 === press }
            send(press, timestamp)
            // If an override of `sendEvent` dropped the event, the responder must not wait for the end.
            if press.isPending { deliverCancelled(press) }
        }
    }

    /// Cancels the presses whose responder is in a subtree.
    func cancel(inBranch root: View) { cancel { $0.responder.isInBranch(root) } }

    /// Cancels the presses of a device.
    func cancel(of device: DeviceID) { cancel { $0.device == device } }

    /// Cancels every press.
    func cancelAll() { cancel { _ in true } }

    private func cancel(where isIncluded: (Press) -> Bool) {
        for press in active.filter(isIncluded) { cancel(press) }
    }

    private func cancel(_ press: Press) {
        guard let index = active.firstIndex(of: press) else { return }
        active.remove(at: index)
        deliverCancelled(press)
    }

    private func deliverCancelled(_ press: Press) {
        guard press.hasBegun else { return }
        press.phase = .cancelled
        press.isPending = false
        if press.isCommand { return send(press, press.timestamp) }
        let event = event(press, press.timestamp)
        press.responder.pressesCancelled([press], with: event)
    }

    private func send(_ press: Press, _ timestamp: TimeInterval) {
        if press.isCommand { return sendCommand(press, timestamp) }
        for other in active where other !== press { other.phase = .stationary }
        application.sendEvent(event(press, timestamp))
    }

    /// Sends the remote-control event of a media key, if it has one in this phase.
    private func sendCommand(_ press: Press, _ timestamp: TimeInterval) {
        press.isPending = false
        press.hasBegun = true
        guard press.phase != .changed,
            let subtype = Event.EventSubtype(press.pressedKey, isPress: press.phase == .began)
        else { return }
        let event = Event(type: .remoteControl, application: application)
        event.subtype = subtype
        event.timestamp = timestamp
        event.message = EventMessage(content: .remoteControl, receiver: press.responder)
        application.sendEvent(event)
    }

    private func event(_ press: Press, _ timestamp: TimeInterval) -> PressesEvent {
        let event = PressesEvent(application: application)
        event.timestamp = timestamp
        event.allPresses = Set(active.filter { !$0.isCommand })
        event.allPresses.insert(press)
        return event
    }
}
