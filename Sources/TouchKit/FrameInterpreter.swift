import CLinux
import Evdev
import Foundation

/// Turns queued frames into events: contacts into touches here, everything else in its trackers.
final class FrameInterpreter {
    private let touches: TouchTracker
    private let timers: GestureTimers
    let pointers: PointerTracker
    let presses: PressTracker
    let motions: MotionTracker

    init(application: Application) {
        touches = application.touches
        timers = application.gestures.timers
        pointers = PointerTracker(application: application)
        presses = PressTracker(application: application)
        motions = MotionTracker(application: application)
    }

    /// Takes the frame at the head of the queue and sends its events; returns false if the queue is empty.
    ///
    /// Consecutive frames that only move contacts are merged into one event: a slow handler receives one move where the
    /// device reported several.
    func interpretNextFrame(of application: Application) -> Bool {
        guard let frame = application.queue.popFrame() else { return false }
        let (device, timestamp) = (frame.device, frame.timestamp.seconds)
        if let due = timers.next, due <= timestamp {
            touches.sendPending()
            timers.advance(to: timestamp)
        }
        timers.pass(timestamp)
        for _ in 0..<frame.contactCount {
            apply(application.queue.popContact(), of: device, at: timestamp, application)
        }
        if let motion = frame.pointer { pointers.move(motion, of: device, at: timestamp) }
        for _ in 0..<frame.keyCount { apply(application.queue.popKey(), of: device, at: timestamp) }
        if frame.onlyMovesContacts, application.queue.head?.onlyMovesContacts == true { return true }
        touches.sendPending()
        if let delta = frame.scroll { pointers.turn(delta, of: device, at: timestamp) }
        if let acceleration = frame.acceleration { motions.process(acceleration, of: device, at: timestamp) }
        if frame.kind == .removal { remove(device, at: timestamp) }
        return true
    }

    private func apply(
        _ contact: Contact, of device: DeviceID, at timestamp: TimeInterval, _ application: Application
    ) {
        if let touch = touches.touch(of: device, contact: contact.id) {
            let phase = Touch.Phase(contact.phase)
            let state = TouchState(contact, on: touch.screen, at: timestamp)
            touches.change(touch, to: phase == .began ? .moved : phase, state: state)
        } else if contact.phase == .began {
            let screen = application.screen(for: device)
            touches.begin(
                device: device, contact: contact.id, type: contact.tool == .pen ? .pencil : .direct, screen: screen,
                state: TouchState(contact, on: screen, at: timestamp))
        }
    }

    private func apply(_ change: KeyChange, of device: DeviceID, at timestamp: TimeInterval) {
        if change.code == UInt16(BTN_LEFT) { return pointers.button(change.action, of: device, at: timestamp) }
        touches.sendPending()
        presses.process(change, of: device, at: timestamp)
    }

    /// Removes a device and its pointer; cancels its touches, presses and motions.
    private func remove(_ device: DeviceID, at timestamp: TimeInterval) {
        touches.remove(device)
        presses.cancel(of: device)
        motions.cancel(of: device, at: timestamp)
        pointers.remove(device)
    }
}

extension Touch.Phase {
    fileprivate init(_ phase: Contact.Phase) {
        self =
            switch phase {
            case .began: .began
            case .moved: .moved
            case .ended: .ended
            case .cancelled: .cancelled
            }
    }
}

extension TouchState {
    fileprivate init(_ contact: Contact, on screen: Screen, at timestamp: TimeInterval) {
        self.init(
            timestamp: timestamp, location: screen.location(of: contact.position),
            force: CGFloat(contact.pressure ?? 0), hasForce: contact.pressure != nil,
            majorRadius: CGFloat(contact.majorRadius ?? 0) * screen.bounds.width, raw: contact.raw)
    }
}
