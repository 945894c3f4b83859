import Foundation
import Reports

/// Where a kiosk was touched today: what the page draws over the layout.
///
/// A touch in a private view is counted, and has no place; a private view is in no list of untouched ones either, since which
/// of its keys nobody pressed says something of those that were.
nonisolated struct DayMap: Encodable, Equatable {
    /// What is known of the day.
    enum Source: String, Encodable {
        /// Everything since midnight that touchd wrote to the journal.
        case journal
        /// What was seen since the inspector was started.
        case opened
        /// A recording, all of it.
        case recording
    }

    /// How often touches began in a square of the screen.
    struct Cell: Encodable, Equatable {
        /// Counted from the top left corner.
        var column, row: Int
        var count: Int
    }

    /// A page of a screen, and what was touched while it was shown.
    struct Place: Encodable, Equatable {
        /// The screen's name, where the layout has several, and the page's, where it has any.
        var screen, page: String?
        /// From the top, and each row from the left.
        var cells: [Cell]
    }

    /// Touches at one spot that nobody seems to have made.
    struct Ghost: Encodable, Equatable {
        /// Points of the screen.
        var x, y: Double
        /// The view that was touched; empty for none.
        var view: String
        /// How many.
        var touches: Int
        /// What is odd about them, in words.
        var oddities: [String]
        /// When the first and the last of them was, in seconds since 1970; absent of a recording.
        var first, last: Double?
    }

    var source: Source
    /// Why it is not the journal's.
    var reason: String?
    /// How many touches began, private ones included.
    var touches: Int
    /// The side of a square, in points.
    var cellSize: Double
    /// The pages with touches on them, by their screens and names.
    var places: [Place]
    /// The views that wait to be touched, and were not; by their ids.
    var untouched: [String]
    var ghosts: [Ghost]
}
