import Evdev
import Foundation

/// One state of a touch, as a device reported it.
struct TouchState {
    /// The time in seconds, on the clock of the device's frames.
    var timestamp: TimeInterval
    /// The location in the screen's coordinates.
    var location: CGPoint
    /// The force from 0 to 1; 0 if the device does not report force.
    var force: CGFloat = 0
    /// Whether the device reports force.
    var hasForce = false
    /// Half of the contact's larger diameter, in points; 0 if the device does not report it.
    var majorRadius: CGFloat = 0
    /// Half of the contact's smaller diameter, as `majorRadius`.
    var minorRadius: CGFloat = 0
    /// The angle of the larger diameter in radians, clockwise from the vertical.
    var orientation: CGFloat = 0
    /// The location in the device's units; nil for a mouse.
    var raw: RawPoint?
}

// MARK: - Collections

extension [Touch] {
    /// The mean of a location of each touch; zero for an empty array.
    func middle(_ place: (Touch) -> CGPoint) -> CGPoint {
        guard !isEmpty else { return .zero }
        var sum = CGPoint.zero
        for touch in self {
            let point = place(touch)
            sum.x += point.x
            sum.y += point.y
        }
        return CGPoint(x: sum.x / CGFloat(count), y: sum.y / CGFloat(count))
    }

    /// The mean of the touches' locations in their screen's coordinates; zero for an empty array.
    var middle: CGPoint {
        guard !isEmpty else { return .zero }
        var sum = CGPoint.zero
        for touch in self {
            sum.x += touch.screenLocation.x
            sum.y += touch.screenLocation.y
        }
        return CGPoint(x: sum.x / CGFloat(count), y: sum.y / CGFloat(count))
    }

    /// Whether a touch is farther than `distance`, in points, from where it came down.
    func hasTouch(beyond distance: CGFloat) -> Bool {
        for index in indices
        where self[index].screenLocation.distance(to: self[index].landingLocation) > distance { return true }
        return false
    }
}
