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
    /// The location in the device's units; nil for a mouse.
    var raw: RawPoint?
}
