import Foundation
import Reports

/// The places touched today on a kiosk, which the page draws over the layout.
///
/// A touch in a private view is counted without its place. Private views are not listed as untouched either, because a
/// list of unused keys would reveal something about the used ones.
nonisolated struct DayMap: Encodable, Equatable {
    /// The source of the touches.
    enum Source: String, Encodable {
        /// All touches in the journal since midnight.
        case journal
        /// The touches seen since the inspector started.
        case opened
        /// A whole recording.
        case recording
    }

    /// The number of touches that began in a square of the screen.
    struct Cell: Encodable, Equatable {
        /// Counted from the top left corner.
        var column, row: Int
        var count: Int
    }

    /// A page of a screen with the touches that began while it was shown.
    struct Place: Encodable, Equatable {
        /// The screen's name if the layout has several, and the page's name if it has pages.
        var screen, page: String?
        /// In rows from the top, each from the left.
        var cells: [Cell]
    }

    /// Touches at one spot that probably no person made.
    struct Ghost: Encodable, Equatable {
        /// The position in points of the screen.
        var x, y: Double
        /// The touched view; empty if the touches were on no view.
        var view: String
        /// The number of touches.
        var touches: Int
        /// Why the touches are suspicious, as text.
        var oddities: [String]
        /// The time of the first and the last touch, in seconds since 1970; absent for a recording.
        var first, last: Double?
    }

    var source: Source
    /// Why the source is not the journal.
    var reason: String?
    /// The number of touches that began, including private ones.
    var touches: Int
    /// The side of a square, in points.
    var cellSize: Double
    /// The pages that were touched, with their screens and names.
    var places: [Place]
    /// The ids of the enabled views that were not touched.
    var untouched: [String]
    var ghosts: [Ghost]
}
