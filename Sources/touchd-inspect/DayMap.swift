import ControlProtocol
import Layout
import Reports

/// The places touched today on a kiosk, which the page draws over the layout.
///
/// A touch in a private view is counted without its place. Private views are not listed as untouched either, because a
/// list of unused keys would reveal something about the used ones.
struct DayMap: JSONRecord, Equatable {
    /// The source of the touches.
    enum Source: String, JSONValue {
        /// All touches in the journal since midnight.
        case journal
        /// The touches seen since the inspector started.
        case opened
        /// A whole recording.
        case recording
    }

    /// A page of a screen with the touches that began while it was shown.
    struct PageHeat: JSONRecord, Equatable {
        var screen, page: String?
        var cells: [Heatmap.Square]

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("screen", "the screen's name, if the layout has several", \.screen)
            visitor.member("page", "the page's name, if the layout has pages", \.page)
            visitor.member("cells", "in rows from the top, each from the left") { $0.cells }
        }
    }

    var source: Source
    var reason: String?
    var touches: Int, cellSize: Double, places: [PageHeat], untouched: [String], ghosts: [GhostSuspect]

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("source", "`journal`, `opened` or `recording`", \.source)
        visitor.member("reason", "why the source is not the journal", \.reason)
        visitor.member("touches", "the number of touches that began, including private ones", \.touches)
        visitor.member("cellSize", .points, "the side of a square", \.cellSize)
        visitor.member("places", "the pages that were touched, with their screens and names") { $0.places }
        visitor.member("untouched", "the ids of the enabled views that were not touched", \.untouched)
        visitor.member("ghosts", "touches that probably no person made") { $0.ghosts }
    }
}
