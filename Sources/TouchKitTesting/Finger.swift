import Evdev
import Foundation

/// A finger on a stage. Points are those of the screen.
///
/// The methods in the third person, such as `lands(at:)`, send a frame. Methods that return a contact, such
/// as `landing(at:)`, send nothing: they are for `Stage.send(_:device:)`, for frames in which several fingers change.
///
/// ```swift
/// let (thumb, finger) = (stage.finger(), stage.finger())
/// stage.send(thumb.landing(at: 400, 300), finger.landing(at: 420, 300))
/// stage.send(thumb.moving(to: 300, 300), finger.moving(to: 520, 300))
/// stage.send(thumb.lifting(), finger.lifting())
/// ```
///
/// A finger that moves or lifts without having landed, or lands twice, stops the test with an error that names its line.
public final class Finger {
    /// Where the finger is, or was last.
    public private(set) var location = CGPoint.zero
    /// The contact's number, which is new each time that the finger lands.
    public private(set) var contact: UInt32
    private let stage: Stage
    private let device: DeviceID

    init(on stage: Stage, device: DeviceID) {
        self.stage = stage
        self.device = device
        contact = stage.newContact()
    }

    // MARK: Frames

    /// The finger comes down.
    public func lands(at point: CGPoint, file: StaticString = #file, line: UInt = #line) {
        send(landing(at: point, file: file, line: line))
    }

    /// The finger comes down.
    public func lands(at x: CGFloat, _ y: CGFloat, file: StaticString = #file, line: UInt = #line) {
        send(landing(at: x, y, file: file, line: line))
    }

    /// The finger moves to a point in a straight line.
    ///
    /// - Parameter seconds: the duration of the movement, with a frame each `Stage.frameInterval`. With 0 it is one frame.
    public func moves(
        to point: CGPoint, over seconds: TimeInterval = 0, file: StaticString = #file, line: UInt = #line
    ) {
        let (start, count) = (location, max(1, (seconds / stage.frameInterval).rounded()))
        for step in stride(from: 1, through: count, by: 1) {
            let share = step / count
            let next = CGPoint(x: start.x + (point.x - start.x) * share, y: start.y + (point.y - start.y) * share)
            send(moving(to: share == 1 ? point : next, file: file, line: line))
        }
    }

    /// The finger moves to a point in a straight line.
    public func moves(
        to x: CGFloat, _ y: CGFloat, over seconds: TimeInterval = 0, file: StaticString = #file, line: UInt = #line
    ) {
        moves(to: CGPoint(x: x, y: y), over: seconds, file: file, line: line)
    }

    /// The finger is lifted, where it is unless another point is given.
    public func lifts(at point: CGPoint? = nil, file: StaticString = #file, line: UInt = #line) {
        send(lifting(at: point, file: file, line: line))
    }

    /// The finger is lifted at a point.
    public func lifts(at x: CGFloat, _ y: CGFloat, file: StaticString = #file, line: UInt = #line) {
        send(lifting(at: x, y, file: file, line: line))
    }

    /// The panel takes the contact back: it was a palm.
    public func becomesPalm(file: StaticString = #file, line: UInt = #line) {
        send(change(.cancelled, to: location, file, line))
    }

    /// The finger comes down, and is lifted in the next frame.
    public func taps(at point: CGPoint, file: StaticString = #file, line: UInt = #line) {
        lands(at: point, file: file, line: line)
        lifts(file: file, line: line)
    }

    /// The finger comes down, and is lifted in the next frame.
    public func taps(at x: CGFloat, _ y: CGFloat, file: StaticString = #file, line: UInt = #line) {
        taps(at: CGPoint(x: x, y: y), file: file, line: line)
    }

    // MARK: Contacts

    /// The contact of a finger that comes down.
    public func landing(at point: CGPoint, file: StaticString = #file, line: UInt = #line) -> Contact {
        change(.began, to: point, file, line)
    }

    /// The contact of a finger that comes down.
    public func landing(at x: CGFloat, _ y: CGFloat, file: StaticString = #file, line: UInt = #line) -> Contact {
        change(.began, to: CGPoint(x: x, y: y), file, line)
    }

    /// The contact of a finger that moves.
    public func moving(to point: CGPoint, file: StaticString = #file, line: UInt = #line) -> Contact {
        change(.moved, to: point, file, line)
    }

    /// The contact of a finger that moves.
    public func moving(to x: CGFloat, _ y: CGFloat, file: StaticString = #file, line: UInt = #line) -> Contact {
        change(.moved, to: CGPoint(x: x, y: y), file, line)
    }

    /// The contact of a finger that is lifted, where it is unless another point is given.
    public func lifting(at point: CGPoint? = nil, file: StaticString = #file, line: UInt = #line) -> Contact {
        change(.ended, to: point ?? location, file, line)
    }

    /// The contact of a finger that is lifted at a point.
    public func lifting(at x: CGFloat, _ y: CGFloat, file: StaticString = #file, line: UInt = #line) -> Contact {
        change(.ended, to: CGPoint(x: x, y: y), file, line)
    }

    private var hasLanded = false

    private func send(_ contact: Contact) { stage.send(contact, device: device) }

    private func change(
        _ phase: Contact.Phase, to point: CGPoint, _ file: StaticString, _ line: UInt
    ) -> Contact {
        let isDown = stage.contactsDown[contact] != nil
        if phase == .began {
            // Not `precondition`, whose message an optimized test would not print.
            if isDown { fatalError("the finger is down already; lift it first", file: file, line: line) }
            if hasLanded { contact = stage.newContact() }
            hasLanded = true
        } else if !isDown {
            let cure = "call lands(at:) first (lifting, a palm and unplug end a touch)"
            fatalError("the finger is not down; \(cure)", file: file, line: line)
        }
        stage.contactsDown[contact] = phase == .began || phase == .moved ? device : nil
        location = point
        return Contact(id: contact, phase: phase, position: stage.position(of: point, on: device))
    }
}
