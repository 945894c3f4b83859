import Foundation

/// Touches at one spot of a kiosk's screen that nobody seems to have made.
public struct GhostSuspect: Sendable, Equatable, Codable {
    /// What of a series of touches at one spot, each within a minute and 16 points of those before it, no finger does.
    ///
    /// These are grounds to look at the screen, and not proof.
    public enum Oddity: String, Sendable, Codable, CaseIterable, Comparable {
        /// Ten within 0.75 s. The fastest finger taps some seven times a second.
        case tooFast = "too fast"
        /// 20 or more, nine in ten of them shorter than 30 ms. A tap takes 50 ms and more.
        case tooShort = "too short"
        /// 20 or more, whose intervals scatter by 2 % or less. People who try to keep time scatter by more.
        case tooRegular = "too regular"
        /// One that lasted longer than five minutes: dirt, water, or a broken panel.
        case tooLong = "too long"
        /// 20 or more, less than 8 points from the edge of the screen, where frames and cables disturb panels.
        case atEdge = "at the edge"
        /// 20 or more at hours of the day (and the hours beside them) that have at most one in a hundred of the kiosk's
        /// other touches, of which there are at least 200 on at least three days.
        case atNight = "at night"

        /// In the order in which they are declared.
        public static func < (left: Oddity, right: Oddity) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// The middle of the spot, in points.
    public var x, y: Double
    /// The view that was touched; empty for none.
    public var view: String
    /// How many touches, in all series at the spot.
    public var touches: Int
    /// When the first of them was and the last.
    public var first, last: Date
    /// What is odd about them, in the order of the cases.
    public var oddities: [Oddity]
}
