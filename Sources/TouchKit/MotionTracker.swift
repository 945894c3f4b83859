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

/// Detects shakes of a device from its accelerometer.
///
/// UIKit documents no values. Here a shake begins when the acceleration without gravity exceeds 0.8 of standard gravity
/// three times within 0.8 s, in alternating directions. It ends after 0.35 s below that limit. It is cancelled after 3
/// s, because UIKit cancels the motion of a device that is shaken too long.
struct ShakeDetector {
    /// The change of a shake's state.
    enum Change {
        case began
        case ended
        case cancelled
    }

    static let threshold = 0.8
    static let window: TimeInterval = 0.8
    private static let stillness: TimeInterval = 0.35
    static let longest: TimeInterval = 3

    private var gravity: Acceleration?
    private var lastSwing: Acceleration?
    private var swings: [TimeInterval] = []
    private var lastStrong: TimeInterval = 0
    private var began: TimeInterval?
    /// Whether the shake was cancelled and the device was not at rest since.
    private var isExhausted = false

    /// Whether the device is being shaken.
    private var isShaking: Bool { began != nil }

    /// Processes a measurement and returns the change, if any.
    mutating func process(_ measured: Acceleration, at timestamp: TimeInterval) -> Change? {
        let base = gravity ?? measured
        // A slow average follows gravity while the device is turned, and hardly follows a shake.
        let weight = 0.05
        gravity = Acceleration(
            x: base.x + weight * (measured.x - base.x), y: base.y + weight * (measured.y - base.y),
            z: base.z + weight * (measured.z - base.z))
        let swing = Acceleration(x: measured.x - base.x, y: measured.y - base.y, z: measured.z - base.z)
        let isStrong = (swing.x * swing.x + swing.y * swing.y + swing.z * swing.z).squareRoot() > Self.threshold
        if isStrong { noteStrong(swing, at: timestamp) }

        if let began {
            if timestamp - lastStrong > Self.stillness { return stop(.ended) }
            if timestamp - began > Self.longest {
                isExhausted = true
                return stop(.cancelled)
            }
            return nil
        }
        if isExhausted {
            // The swings of the shake that was cancelled do not begin another.
            (lastSwing, swings) = (nil, [])
            if timestamp - lastStrong > Self.stillness { isExhausted = false }
            return nil
        }
        guard swings.count >= 3 else { return nil }
        began = timestamp
        return .began
    }

    /// Cancels a shake because of an interruption.
    mutating func interrupt() -> Change? { isShaking ? stop(.cancelled) : nil }

    private mutating func noteStrong(_ swing: Acceleration, at timestamp: TimeInterval) {
        lastStrong = timestamp
        let turned = lastSwing.map { $0.x * swing.x + $0.y * swing.y + $0.z * swing.z < 0 } ?? true
        guard turned else { return }
        lastSwing = swing
        swings.removeAll { timestamp - $0 > Self.window }
        swings.append(timestamp)
    }

    private mutating func stop(_ change: Change) -> Change {
        began = nil
        lastSwing = nil
        swings = []
        return change
    }
}
