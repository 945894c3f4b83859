/// The effect of a touch at a point, with the reasons; for `touchd hit`, the control socket and the inspector.
package struct HitReport: Codable, Equatable, Sendable {
    /// The result of hit-testing a view, like `HitVisit.Outcome`.
    package enum Outcome: String, Codable, Sendable {
        case taken, entered, redirected, passed, hidden, transparent, disabled, outside, covered
    }

    /// The result of hit-testing one view.
    package struct Visit: Codable, Equatable, Sendable {
        /// The view, by its id or its location in the file.
        package var view: String
        /// Its location in the file, FILE:LINE:COLUMN; nil for a view that is not in the file.
        package var location: String?
        /// The name of the program that published the view; nil for a view of the file.
        package var publisher: String?
        /// The depth in the tree; 0 is the window.
        package var depth: Int
        /// The result.
        package var outcome: Outcome
        /// The result as a sentence without a subject.
        package var reason: String

        /// Creates a result.
        package init(
            view: String, location: String?, publisher: String?, depth: Int, outcome: Outcome, reason: String
        ) {
            (self.view, self.location, self.publisher) = (view, location, publisher)
            (self.depth, self.outcome, self.reason) = (depth, outcome, reason)
        }
    }

    /// A recognizer that would receive the touch.
    package struct Recognizer: Codable, Equatable, Sendable {
        /// The gesture's id in the layout, or its kind.
        package var gesture: String
        /// The view it is attached to.
        package var view: String
        /// Whether the recognizer is enabled; a disabled one recognizes nothing.
        package var isEnabled: Bool

        /// Creates the value of a recognizer.
        package init(gesture: String, view: String, isEnabled: Bool) {
            (self.gesture, self.view, self.isEnabled) = (gesture, view, isEnabled)
        }
    }

    /// A handler that would run.
    package struct Handler: Codable, Equatable, Sendable {
        /// The view, page or application with the handler, and for a gesture also the gesture.
        package var at: String
        /// The trigger.
        package var trigger: String
        /// The handler's name, or the action's key.
        package var handler: String

        /// Creates the value of a handler.
        package init(at: String, trigger: String, handler: String) {
            (self.at, self.trigger, self.handler) = (at, trigger, handler)
        }
    }

    /// Whether the program that draws receives the touch as well.
    package struct Forwarding: Codable, Equatable, Sendable {
        /// Whether it does, if the touch is on a panel whose rule has `forward`.
        package var isForwarded: Bool
        /// The view or layout that decides it.
        package var by: String
        /// The gestures that can take the touch back.
        package var cancelledBy: [String]
        /// The gestures that must fail before the program receives it.
        package var delayedBy: [String]

        /// Creates the decision about a touch.
        package init(isForwarded: Bool, by: String, cancelledBy: [String], delayedBy: [String]) {
            (self.isForwarded, self.by, self.cancelledBy, self.delayedBy) = (isForwarded, by, cancelledBy, delayedBy)
        }
    }

    /// The point, in points of the screen.
    package var x, y: Double
    /// The screen's name, if the layout has several screens.
    package var screen: String?
    /// The page on the screen, if the layout has pages.
    package var page: String?
    /// The id of the view that receives the touch; nil if there is no such view or it has no id.
    package var view: String?
    /// The ids of that view and its ancestors, the innermost first.
    package var path: [String]
    /// Every tested view, in order, and the views behind the one that receives the touch.
    package var visits: [Visit]
    /// The recognizers that receive the touch before the view does: the view's first, then those of its ancestors.
    package var recognizers: [Recognizer]
    /// The responder chain, starting at the view.
    package var responders: [String]
    /// The handlers that a touch there can run: those of the recognizers and of the control, and for each phase those
    /// of the first responder with handlers.
    package var handlers: [Handler]
    /// Whether the touch is forwarded; nil if no device rule of the layout has `forward`.
    package var forwarding: Forwarding?

    /// Creates a report.
    package init(
        x: Double, y: Double, screen: String?, page: String?, view: String?, path: [String], visits: [Visit],
        recognizers: [Recognizer], responders: [String], handlers: [Handler], forwarding: Forwarding?
    ) {
        (self.x, self.y, self.screen, self.page, self.view, self.path) = (x, y, screen, page, view, path)
        (self.visits, self.recognizers, self.responders) = (visits, recognizers, responders)
        (self.handlers, self.forwarding) = (handlers, forwarding)
    }

    /// The name of the view that receives the touch, or of the window; nil if the point is not on the screen.
    package var receiver: String? { responders.first }
}
