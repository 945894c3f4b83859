/// The effect of a touch at a point, with the reasons; for `touchd hit`, the control socket and the inspector.
package struct HitReport: JSONMessage, Equatable {
    /// The result of hit-testing a view, like `HitVisit.Outcome`.
    package enum Outcome: String, JSONValue, Sendable, CaseIterable {
        case taken, entered, redirected, passed, hidden, transparent, disabled, outside, covered
    }

    /// The result of hit-testing one view.
    package struct VisitedView: JSONMessage, Equatable {
        package var view = "", location: String?, publisher: String?, depth = 0, outcome = Outcome.outside, reason = ""
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("view", "the view, by its id or its place in the file", \.view)
            visitor.member(
                "location", "its place in the file, FILE:LINE:COLUMN; absent for a view that is not in the file",
                \.location)
            visitor.member(
                "publisher", "the program that published the view; absent for a view of the file", \.publisher)
            visitor.member("depth", "the depth in the tree; 0 is the window", \.depth)
            visitor.member(
                "outcome",
                """
                `taken`, `entered`, `redirected`, `passed`, `hidden`, `transparent`, `disabled`, `outside` or \
                `covered`
                """,
                \.outcome)
            visitor.member("reason", "the result as a sentence without a subject", \.reason)
        }
    }

    /// A recognizer that would receive the touch.
    package struct Recognizer: JSONMessage, Equatable {
        package var gesture = "", view = "", isEnabled = true
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("gesture", "the gesture's id in the layout, or its kind", \.gesture)
            visitor.member("view", "the view that it is attached to", \.view)
            visitor.member("isEnabled", "false if it recognizes nothing", \.isEnabled)
        }
    }

    /// A handler that would run.
    package struct Handler: JSONMessage, Equatable {
        package var at = "", trigger = "", handler = ""
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member(
                "at", "the view, page or application with the handler, and for a gesture also the gesture", \.at)
            visitor.member("trigger", "the trigger", \.trigger)
            visitor.member("handler", "the handler's name, or the action's key", \.handler)
        }
    }

    /// Whether the program that draws receives the touch as well.
    package struct Forwarding: JSONMessage, Equatable {
        package var isForwarded = false, by = "", cancelledBy: [String] = [], delayedBy: [String] = []
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member(
                "isForwarded", "whether it does, if the touch is on a panel whose rule has `forward: true`",
                \.isForwarded)
            visitor.member("by", "the view or layout that decides it", \.by)
            visitor.member("cancelledBy", "the gestures that can take the touch back", \.cancelledBy)
            visitor.member("delayedBy", "the gestures that must fail before the program receives it", \.delayedBy)
        }
    }

    package var x = 0.0, y = 0.0, screen: String?, page: String?, view: String?, path: [String] = []
    package var visits: [VisitedView] = [], recognizers: [Recognizer] = [], responders: [String] = []
    package var handlers: [Handler] = [], forwarding: Forwarding?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("x", .points, "the point on the screen", \.x)
        visitor.member("y", .points, "see `x`", \.y)
        visitor.member("screen", "the screen's name, if the layout has several", \.screen)
        visitor.member("page", "the page on the screen, if the layout has pages", \.page)
        visitor.member("view", "the id of the view that receives the touch, if there is one and it has an id", \.view)
        visitor.member("path", "the ids of that view and its superviews, the innermost first", \.path)
        visitor.member(
            "visits", "the tested views, in order, and the views behind the one that receives the touch", \.visits)
        visitor.member(
            "recognizers",
            """
            the recognizers that receive the touch before the view does: the view's first, then those of its \
            superviews
            """,
            \.recognizers)
        visitor.member("responders", "the responder chain, starting at the view", \.responders)
        visitor.member("handlers", "the handlers that a touch there can run", \.handlers)
        visitor.member(
            "forwarding", "whether the touch is forwarded; absent if no rule of the layout has `forward: true`",
            \.forwarding)
    }

    /// The name of the view that receives the touch, or of the window; nil if the point is not on the screen.
    package var receiver: String? { responders.first }
}
