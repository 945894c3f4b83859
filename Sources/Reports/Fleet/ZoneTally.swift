import Foundation
import TouchKit

/// The counts of the touches that began in one zone: a view, or the area outside named views.
package struct ZoneTally: Sendable, Equatable, Codable {
    /// Touches that began.
    package var touches = 0
    /// Touches lifted soon and near their start, see `isTap`.
    package var taps = 0
    /// Touches that touchd cancelled: unplugged, reloaded, stopped, or taken over by a gesture.
    package var cancelled = 0
    /// Touches lifted outside the view; 0 if no layout gives its frame.
    package var liftedOutside = 0
    /// Touches cancelled or lifted outside, except those cancelled on a view with a gesture, which may have been
    /// intended.
    package var abandoned = 0
    /// Touches whose end is not in the journal: the journal stops before, the power failed, or the service was killed.
    package var unfinished = 0

    /// Whether a touch is a tap: lifted within the limits of touchd's tap recognizer. A journal has no moves, so a touch
    /// that moved away and returned counts too.
    static func isTap(from began: TouchdEntry.Touch, to ended: TouchdEntry.Touch) -> Bool {
        guard (0...TapGestureRecognizer.longestTap).contains(ended.time - began.time) else { return false }
        // A private view reports no positions, so only the duration counts.
        guard let from = began.location, let to = ended.location else { return true }
        return hypot(to.x - from.x, to.y - from.y) <= TapGestureRecognizer.longestDistance
    }

    static func + (left: ZoneTally, right: ZoneTally) -> ZoneTally {
        ZoneTally(
            touches: left.touches + right.touches, taps: left.taps + right.taps,
            cancelled: left.cancelled + right.cancelled, liftedOutside: left.liftedOutside + right.liftedOutside,
            abandoned: left.abandoned + right.abandoned, unfinished: left.unfinished + right.unfinished)
    }
}
