import ControlProtocol
import Foundation
import TouchKit

/// The counts of the touches that began in one zone: a view, or the area outside named views.
package struct ZoneTally: JSONRecord, Equatable {
    package var touches = 0, taps = 0, cancelled = 0, liftedOutside = 0, abandoned = 0, unfinished = 0

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("touches", "touches that began", \.touches)
        visitor.member("taps", "touches lifted soon and near their start", \.taps)
        visitor.member(
            "cancelled", "touches that touchd cancelled: unplugged, reloaded, stopped, or taken over by a gesture",
            \.cancelled)
        visitor.member(
            "liftedOutside", "touches lifted outside the view; 0 if no layout gives its frame", \.liftedOutside)
        visitor.member(
            "abandoned", "touches cancelled or lifted outside, except those cancelled on a view with a gesture",
            \.abandoned)
        visitor.member("unfinished", "touches whose end is not in the journal", \.unfinished)
    }

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
