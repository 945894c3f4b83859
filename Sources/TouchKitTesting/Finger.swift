import Evdev
import Foundation

/// A finger on a stage. Points are those of the screen.
///
/// The methods in the third person, such as `lands(at:)`, send a frame. Methods that return a contact, such
/// as `landing(at:)`, send nothing: they are for `Stage.send(_:device:)`, for frames in which several fingers change.
///
///     let (thumb, finger) = (stage.finger(), stage.finger())
///     stage.send(thumb.landing(at: 400, 300), finger.landing(at: 420, 300))
///     stage.send(thumb.moving(to: 300, 300), finger.moving(to: 520, 300))
///     stage.send(thumb.lifting(), finger.lifting())
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
    public func lands(at point: CGPoint) { send(landing(at: point)) }

    /// The finger comes down.
    public func lands(at x: CGFloat, _ y: CGFloat) { lands(at: CGPoint(x: x, y: y)) }

    /// The finger moves to a point in a straight line.
    ///
    /// - Parameter seconds: the duration of the movement, with a frame each `Stage.frameInterval`. With 0 it is one frame.
    public func moves(to point: CGPoint, over seconds: TimeInterval = 0) {
        let (start, count) = (location, max(1, (seconds / stage.frameInterval).rounded()))
        for step in stride(from: 1, through: count, by: 1) {
            let share = step / count
            send(
                share == 1
                    ? moving(to: point)
                    : moving(to: start.x + (point.x - start.x) * share, start.y + (point.y - start.y) * share))
        }
    }

    /// The finger moves to a point in a straight line.
    public func moves(to x: CGFloat, _ y: CGFloat, over seconds: TimeInterval = 0) {
        moves(to: CGPoint(x: x, y: y), over: seconds)
    }

    /// The finger is lifted, where it is unless another point is given.
    public func lifts(at point: CGPoint? = nil) { send(lifting(at: point)) }

    /// The finger is lifted at a point.
    public func lifts(at x: CGFloat, _ y: CGFloat) { lifts(at: CGPoint(x: x, y: y)) }

    /// The panel takes the contact back: it was a palm.
    public func becomesPalm() { send(change(.cancelled, to: location)) }

    /// The finger comes down, and is lifted in the next frame.
    public func taps(at point: CGPoint) {
        lands(at: point)
        lifts()
    }

    /// The finger comes down, and is lifted in the next frame.
    public func taps(at x: CGFloat, _ y: CGFloat) { taps(at: CGPoint(x: x, y: y)) }

    // MARK: Contacts

    /// The contact of a finger that comes down.
    public func landing(at point: CGPoint) -> Contact {
        if hasLanded { contact = stage.newContact() }
        hasLanded = true
        return change(.began, to: point)
    }

    /// The contact of a finger that comes down.
    public func landing(at x: CGFloat, _ y: CGFloat) -> Contact { landing(at: CGPoint(x: x, y: y)) }

    /// The contact of a finger that moves.
    public func moving(to x: CGFloat, _ y: CGFloat) -> Contact { moving(to: CGPoint(x: x, y: y)) }

    /// The contact of a finger that moves.
    public func moving(to point: CGPoint) -> Contact { change(.moved, to: point) }

    /// The contact of a finger that is lifted, where it is unless another point is given.
    public func lifting(at point: CGPoint? = nil) -> Contact { change(.ended, to: point ?? location) }

    /// The contact of a finger that is lifted at a point.
    public func lifting(at x: CGFloat, _ y: CGFloat) -> Contact { lifting(at: CGPoint(x: x, y: y)) }

    private var hasLanded = false

    private func send(_ contact: Contact) { stage.send(contact, device: device) }

    private func change(_ phase: Contact.Phase, to point: CGPoint) -> Contact {
        location = point
        return Contact(id: contact, phase: phase, position: stage.position(of: point, on: device))
    }
}
