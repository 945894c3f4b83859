import ControlProtocol
import Foundation

/// Touches at one spot of a kiosk's screen that probably no person made.
package struct GhostSuspect: JSONRecord, Equatable {
    /// A property that no finger gives to a series of touches at one spot, each within a minute and 16 points of the
    /// previous ones.
    ///
    /// It is a reason to look at the screen, not a proof.
    package enum Oddity: String, JSONWritable, Sendable, CaseIterable, Comparable {
        /// Ten within 0.75 s. The fastest finger taps about seven times a second.
        case tooFast = "too fast"
        /// 20 or more, nine in ten of them shorter than 30 ms. A tap takes 50 ms or more.
        case tooShort = "too short"
        /// 20 or more, with intervals that vary by 2 % or less. People vary more, even when they try to keep time.
        case tooRegular = "too regular"
        /// A touch longer than five minutes, or still down when others began five minutes later: dirt, water, or a broken
        /// panel.
        case tooLong = "too long"
        /// 20 or more, less than 8 points from the edge of the screen, where frames and cables disturb panels.
        case atEdge = "at the edge"
        /// 20 or more at unusual hours: these hours and those beside them have at most 1 % of the kiosk's other
        /// touches, of which there are at least 200 on at least three days.
        case atNight = "at night"

        /// Sorts in the order of declaration.
        package static func < (left: Oddity, right: Oddity) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    package var x, y: Double, view: String, touches: Int, first, last: Date, oddities: [Oddity]

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("x", .points, "the middle of the spot", \.x)
        visitor.member("y", .points, "see `x`", \.y)
        visitor.member("view", "the touched view; empty outside named views", \.view)
        visitor.member("touches", "the number of touches in all series at the spot", \.touches)
        visitor.member("first", "the date of the first touch") { $0.first }
        visitor.member("last", "the date of the last touch") { $0.last }
        visitor.member("oddities", "the odd properties of the touches, in the order of the cases") { $0.oddities }
    }
}
