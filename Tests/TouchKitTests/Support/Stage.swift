import Evdev
import Foundation
import TouchKit

/// An application with one window on a screen of 1024 by 1024 points by default, with fingers.
///
/// The size is a power of two, so that points convert to and from a device's unit square exactly.
final class Stage {
    let application = Application()
    let screen: Screen
    let window: Window
    /// The time of the next frame, in microseconds; every frame advances it by 10 ms.
    var clock: Int64 = 1_000_000
    private var lastContact: UInt32 = 0

    init(width: CGFloat = 1024, height: CGFloat = 1024) {
        screen = Screen(bounds: CGRect(x: 0, y: 0, width: width, height: height))
        window = Window(frame: screen.bounds, application: application, screen: screen)
        window.identifier = "window"
        application.setScreen(screen, for: .touchscreen)
        application.setScreen(screen, for: .mouse)
        window.makeKeyAndVisible()
    }

    /// A finger that is not down yet.
    func finger() -> Finger {
        lastContact += 1
        return Finger(contact: lastContact, stage: self)
    }

    /// Sends one frame in which several contacts change.
    func send(_ contacts: Contact..., device: DeviceID = .touchscreen) {
        enqueue(contacts, device: device)
        application.drainEvents()
    }

    /// Queues one frame without sending it.
    func enqueue(_ contacts: [Contact], device: DeviceID = .touchscreen) {
        application.enqueue(InputFrame(device: device, timestamp: tick(), contacts: contacts))
    }

    /// Sends a frame of a mouse.
    func mouse(by x: Double = 0, _ y: Double = 0, keys: [KeyChange] = []) {
        application.enqueue(
            InputFrame(device: .mouse, timestamp: tick(), pointer: .by(x: x, y: y), keys: keys))
        application.drainEvents()
    }

    func tick() -> InputTimestamp {
        clock += 10_000
        return InputTimestamp(microseconds: clock)
    }
}

/// One finger on a stage; each method sends one frame.
struct Finger {
    let contact: UInt32
    let stage: Stage

    func down(at x: Double, _ y: Double) { stage.send(began(at: x, y)) }
    func move(to x: Double, _ y: Double) { stage.send(moved(to: x, y)) }
    func lift(at x: Double, _ y: Double) { stage.send(ended(at: x, y)) }
    func cancel(at x: Double, _ y: Double) { stage.send(change(.cancelled, x, y)) }

    func tap(at x: Double, _ y: Double) {
        down(at: x, y)
        lift(at: x, y)
    }

    func began(at x: Double, _ y: Double) -> Contact { change(.began, x, y) }
    func moved(to x: Double, _ y: Double) -> Contact { change(.moved, x, y) }
    func ended(at x: Double, _ y: Double) -> Contact { change(.ended, x, y) }

    private func change(_ phase: Contact.Phase, _ x: Double, _ y: Double) -> Contact {
        let bounds = stage.screen.bounds
        return Contact(
            id: contact, phase: phase, position: SurfacePoint(x: x / bounds.width, y: y / bounds.height))
    }
}

extension DeviceID {
    nonisolated static let touchscreen = DeviceID(rawValue: 1)
    nonisolated static let mouse = DeviceID(rawValue: 2)
}
