import Evdev
import Foundation

/// The shakes of each device with an accelerometer, delivered to the first responder.
final class MotionTracker {
    private unowned let application: Application
    private var detectors: [DeviceID: ShakeDetector] = [:]
    private var receivers: [DeviceID: Responder] = [:]

    init(application: Application) { self.application = application }

    /// Processes a measurement, and sends an event if it begins or ends a shake.
    func process(_ acceleration: Acceleration, of device: DeviceID, at timestamp: TimeInterval) {
        guard !application.isIgnoringEvents else { return }
        guard let change = detectors[device, default: ShakeDetector()].process(acceleration, at: timestamp) else {
            return
        }
        send(change, of: device, at: timestamp)
    }

    /// Cancels a device's shake.
    func cancel(of device: DeviceID, at timestamp: TimeInterval) {
        guard let change = detectors[device]?.interrupt() else { return }
        send(change, of: device, at: timestamp)
    }

    /// Cancels every shake.
    func cancelAll(at timestamp: TimeInterval) {
        for device in detectors.keys.sorted(by: { $0.rawValue < $1.rawValue }) { cancel(of: device, at: timestamp) }
    }

    private func send(_ change: ShakeDetector.Change, of device: DeviceID, at timestamp: TimeInterval) {
        let event = Event(type: .motion, application: application)
        event.subtype = .motionShake
        event.timestamp = timestamp
        switch change {
        case .began:
            let receiver = application.placelessReceiver
            receivers[device] = receiver
            event.message = EventMessage(content: .motionBegan, receiver: receiver)
        case .ended, .cancelled:
            guard let receiver = receivers.removeValue(forKey: device) else { return }
            let content: EventMessage.Content = change == .ended ? .motionEnded : .motionCancelled
            event.message = EventMessage(content: content, receiver: receiver)
        }
        application.sendEvent(event)
    }
}

extension Event {
    /// Delivers the event to its receiver; once, however often the event is sent.
    func deliverMessage() {
        guard let message else { return }
        self.message = nil
        let receiver = message.receiver
        switch message.content {
        case .motionBegan: receiver.motionBegan(subtype, with: self)
        case .motionEnded: receiver.motionEnded(subtype, with: self)
        case .motionCancelled: receiver.motionCancelled(subtype, with: self)
        case .remoteControl: receiver.remoteControlReceived(with: self)
        case .hoverBegan(let pointer): receiver.hoverBegan(pointer, with: self)
        case .hoverMoved(let pointer): receiver.hoverMoved(pointer, with: self)
        case .scrolled(let pointer, let scroll): receiver.scrolled(by: scroll, at: pointer, with: self)
        }
    }
}
