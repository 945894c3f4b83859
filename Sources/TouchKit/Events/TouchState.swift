import Evdev
import Foundation

/// One state of a touch, as a device reported it.
struct TouchState {
    var timestamp: TimeInterval
    var location: CGPoint
    var sample: TouchSample
}

/// The values that a device reports for a touch, except its location.
struct TouchSample {
    var force: CGFloat = 0
    var hasForce = false
    var majorRadius: CGFloat = 0
    var raw: RawPoint?
}
