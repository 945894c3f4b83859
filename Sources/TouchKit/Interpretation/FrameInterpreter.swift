import CLinux
import Evdev
import Foundation

/// Turns the frames at the head of the queue into touches.
final class FrameInterpreter {
    private unowned let application: Application
    private var pointers: [DeviceID: PointerTracker] = [:]

    init(application: Application) { self.application = application }

    func apply(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) {
        let touches = application.touches
        let screen = application.screen(for: device)
        let location = screen.location(of: contact.position)
        let sample = TouchSample(contact, on: screen)
        if let touch = touches.touch(of: device, contact: contact.id) {
            let phase = Touch.Phase(contact.phase)
            touches.change(
                touch, to: phase == .began ? .moved : phase, at: timestamp, location: location, sample: sample)
        } else if contact.phase == .began, !application.isIgnoringInteractionEvents {
            touches.begin(
                device: device, contact: contact.id, type: contact.tool == .pen ? .pencil : .direct, screen: screen,
                at: timestamp, location: location, sample: sample)
        }
    }

    func apply(_ motion: PointerMotion, of device: DeviceID, at timestamp: TimeInterval) {
        let screen = application.screen(for: device)
        let location = pointers[device, default: PointerTracker()].move(motion, on: screen)
        guard let touch = pointers[device]?.touch, !touch.isOver else { return }
        // A mouse pushed on at the screen's edge does not move the pointer.
        guard location != touch.screenLocation else { return }
        application.touches.change(touch, to: .moved, at: timestamp, location: location, sample: touch.sample)
    }

    func apply(_ key: KeyChange, of device: DeviceID, at timestamp: TimeInterval) {
        guard key.code == UInt16(BTN_LEFT) else { return }
        let screen = application.screen(for: device)
        let location = pointers[device, default: PointerTracker()].place(on: screen)
        switch key.action {
        case .pressed:
            if let touch = pointers[device]?.touch, !touch.isOver { return }
            guard !application.isIgnoringInteractionEvents else { return }
            pointers[device]?.touch = application.touches.begin(
                device: device, contact: nil, type: .indirectPointer, screen: screen, at: timestamp,
                location: location, sample: TouchSample())
        case .released, .cancelled:
            guard let touch = pointers[device]?.touch else { return }
            pointers[device]?.touch = nil
            guard !touch.isOver else { return }
            let phase: Touch.Phase = key.action == .released ? .ended : .cancelled
            application.touches.change(touch, to: phase, at: timestamp, location: location, sample: touch.sample)
        case .repeated:
            break
        }
    }

    /// Forgets a device that is gone; its touches are cancelled.
    func remove(_ device: DeviceID) {
        pointers[device] = nil
        application.touches.cancel(of: device)
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

extension TouchSample {
    fileprivate init(_ contact: Contact, on screen: Screen) {
        if let pressure = contact.pressure {
            force = CGFloat(pressure)
            hasForce = true
        }
        majorRadius = CGFloat(contact.majorRadius ?? 0) * screen.bounds.width
    }
}
