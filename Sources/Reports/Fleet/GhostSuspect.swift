import Foundation

/// Touches at one spot of a kiosk's screen that probably no person made.
package struct GhostSuspect: Sendable, Equatable, Codable {
    /// A property that no finger gives to a series of touches at one spot, each within a minute and 16 points of the
    /// previous ones.
    ///
    /// It is a reason to look at the screen, not a proof.
    package enum Oddity: String, Sendable, Codable, CaseIterable, Comparable {
        /// Ten within 0.75 s. The fastest finger taps about seven times a second.
        case tooFast = "too fast"
        /// 20 or more, nine in ten of them shorter than 30 ms. A tap takes 50 ms or more.
        case tooShort = "too short"
        /// 20 or more, with intervals that vary by 2 % or less. People vary more, even when they try to keep time.
        case tooRegular = "too regular"
        /// A touch longer than five minutes: dirt, water, or a broken panel.
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

    /// The middle of the spot, in points.
    package var x, y: Double
    /// The touched view; empty outside named views.
    package var view: String
    /// The number of touches in all series at the spot.
    package var touches: Int
    /// The dates of the first and the last touch.
    package var first, last: Date
    /// The odd properties of the touches, in the order of the cases.
    package var oddities: [Oddity]
}
