import Foundation

/// What became of the touches that began in one zone: a view, or where there is none.
public struct ZoneTally: Sendable, Equatable, Codable {
    /// Touches that began.
    public var touches = 0
    /// Those lifted soon and near: `isTap` says how.
    public var taps = 0
    /// Those that touchd cancelled: unplugged, reloaded, stopped, or taken over by a gesture.
    public var cancelled = 0
    /// Those lifted outside of the view; 0 where no layout says where it is.
    public var liftedOutside = 0
    /// Cancelled or lifted outside, but for those cancelled where the layout has a gesture, which may have been meant.
    public var abandoned = 0
    /// Those whose end is not in the journal: it stops before, the power was cut, or the service killed.
    public var unfinished = 0

    /// Whether a touch is a tap: lifted within 0.75 s and 45 points from where it began, the bounds of touchd's own
    /// recognizer of taps. Moves are not in a journal, so a touch that went away and came back counts too.
    static func isTap(from began: TouchdEntry.Touch, to ended: TouchdEntry.Touch) -> Bool {
        guard (0...0.75).contains(ended.time - began.time) else { return false }
        // A private view has no places; there the time alone decides.
        guard let from = began.location, let to = ended.location else { return true }
        return hypot(to.x - from.x, to.y - from.y) <= 45
    }

    static func + (left: ZoneTally, right: ZoneTally) -> ZoneTally {
        ZoneTally(
            touches: left.touches + right.touches, taps: left.taps + right.taps,
            cancelled: left.cancelled + right.cancelled, liftedOutside: left.liftedOutside + right.liftedOutside,
            abandoned: left.abandoned + right.abandoned, unfinished: left.unfinished + right.unfinished)
    }
}
