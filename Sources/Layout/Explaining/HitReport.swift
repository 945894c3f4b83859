import Foundation
import TouchKit

/// What a touch at a point would do, and why: for `touchd hit`, the control socket and the inspector.
public nonisolated struct HitReport: Codable, Equatable, Sendable {
    /// What came of asking a view, as `HitVisit.Outcome` has it.
    public enum Outcome: String, Codable, Sendable {
        case taken, entered, redirected, passed, hidden, transparent, disabled, outside, covered
    }

    /// What hit-testing did with one view.
    public struct Visit: Codable, Equatable, Sendable {
        /// The view, by its id or its place in the file.
        public var view: String
        /// Its place in the file, FILE:LINE:COLUMN; nil for what is not in the file.
        public var location: String?
        /// How deep it lies; 0 is the window.
        public var depth: Int
        /// What came of it, in a word.
        public var outcome: Outcome
        /// The same as a sentence without a subject.
        public var reason: String
    }

    /// A recognizer that would be told of the touch.
    public struct Recognizer: Codable, Equatable, Sendable {
        /// The gesture's id in the layout, or else its kind.
        public var gesture: String
        /// The view it is attached to.
        public var view: String
        /// Whether it can recognize anything: not while it is disabled.
        public var isEnabled: Bool
    }

    /// A handler that would run.
    public struct Handler: Codable, Equatable, Sendable {
        /// The view, page or application it is attached to; for a gesture the gesture too.
        public var at: String
        /// When it would run.
        public var trigger: String
        /// Its name, or the key of the action.
        public var handler: String
    }

    /// The point, in points of the screen.
    public var x, y: Double
    /// The screen's name, where the layout has several.
    public var screen: String?
    /// The page that the screen shows, where it has pages.
    public var page: String?
    /// The id of the view that takes the touch; nil where no view does, or one without id.
    public var view: String?
    /// The ids of that view and of those it is in, from the innermost.
    public var path: [String]
    /// Every view that was asked, in that order, and those behind the one that took the touch.
    public var visits: [Visit]
    /// The recognizers that are told of the touch, before the view is: those of the view first, then outwards.
    public var recognizers: [Recognizer]
    /// The responder chain from the view outwards.
    public var responders: [String]
    /// The handlers that a touch there can run: those of the recognizers, of the control, and for each phase those of the
    /// first responder that has any.
    public var handlers: [Handler]
}

extension Scene {
    /// Asks what a touch at a point of a screen would do now; nothing is delivered and no handler runs.
    ///
    /// - Parameters:
    ///   - point: In points of the screen.
    ///   - screen: The screen's name; nil for the first. Nil is answered where the layout has no such screen.
    ///   - tellsOutside: Whether views that the point is outside of are told of: of a seat map that is nearly everything,
    ///     and says the least.
    ///   - concealsPrivate: Whether a private view stands for all views inside it, so that the answer does not depend on which
    ///     of them are enabled or hidden.
    public func hit(
        _ point: CGPoint, onScreen screen: String? = nil, tellsOutside: Bool = true, concealsPrivate: Bool = false
    ) -> HitReport? {
        guard let number = screen.map({ name in document.screens.firstIndex { $0.name == name } }) ?? 0 else {
            return nil
        }
        let window = windows[number]
        let lookup = SpecLookup(self)
        var view = window.hitTest(point, with: nil)
        var visits = window.explainHitTest(point)
        if concealsPrivate {
            let concealed = ConcealedHit(view, visits, at: point, in: window)
            (view, visits) = (concealed.view, concealed.visits)
        }
        var responders: [Responder] = []
        var candidate: Responder? = view
        while let responder = candidate {
            responders.append(responder)
            candidate = responder.next
        }
        let views = responders.compactMap { $0 as? View }
        let recognizers = views.flatMap { view in (view.gestureRecognizers ?? []).map { (view, $0) } }
        return HitReport(
            x: point.x, y: point.y, screen: document.screens[number].name,
            page: currentPage(onScreen: document.screens[number].name),
            view: view === window ? nil : view?.identifier,
            path: views.filter { view in view !== window }.compactMap(\.identifier),
            visits: visits.filter { tellsOutside || $0.outcome != .outside }.map {
                visit($0, lookup)
            },
            recognizers: recognizers.map { view, recognizer in
                HitReport.Recognizer(
                    gesture: recognizer.name ?? "\(type(of: recognizer))", view: name(of: view, by: lookup),
                    isEnabled: recognizer.isEnabled)
            },
            responders: responders.map { name(of: $0, by: lookup) },
            handlers: gestureHandlers(of: views, lookup) + controlHandlers(of: view, lookup)
                + touchHandlers(of: responders, lookup))
    }

    private func visit(_ visit: HitVisit, _ lookup: SpecLookup) -> HitReport.Visit {
        let (outcome, reason) = words(for: visit.outcome, lookup)
        return HitReport.Visit(
            view: name(of: visit.view, by: lookup), location: lookup.spec(of: visit.view).map { "\($0.location)" },
            depth: visit.depth,
            outcome: outcome, reason: reason)
    }

    private func words(for outcome: HitVisit.Outcome, _ lookup: SpecLookup) -> (HitReport.Outcome, String) {
        switch outcome {
        case .taken: (.taken, "takes the touch")
        case .redirected(let view): (.redirected, "hands the touch to \(name(of: view, by: lookup))")
        case .entered: (.entered, "has a view in it that takes the touch")
        case .passedThrough: (.passed, "lets the touch through")
        case .hidden: (.hidden, "is hidden")
        case .transparent: (.transparent, "has an alpha below 0.01")
        case .disabled: (.disabled, "is not enabled")
        case .outside: (.outside, "does not contain the point")
        case .covered(let view): (.covered, "is behind \(name(of: view, by: lookup))")
        }
    }

    private func gestureHandlers(of views: [View], _ lookup: SpecLookup) -> [HitReport.Handler] {
        views.flatMap { view in
            (lookup.spec(of: view)?.gestures ?? []).flatMap { gesture in
                gesture.on.map {
                    HitReport.Handler(
                        at: "\(gesture.id ?? gesture.kind.word.rawValue) of \(name(of: view, by: lookup))",
                        trigger: $0.trigger.rawValue,
                        handler: $0.step.name)
                }
            }
        }
    }

    private func controlHandlers(of view: View?, _ lookup: SpecLookup) -> [HitReport.Handler] {
        guard let view, view is Control, let spec = lookup.spec(of: view) else { return [] }
        return spec.on.filter { $0.trigger.phase == nil }.map { handler($0, at: view, lookup) }
    }

    private func touchHandlers(of responders: [Responder], _ lookup: SpecLookup) -> [HitReport.Handler] {
        Touch.Phase.delivered.flatMap { phase in
            for responder in responders {
                let bindings = bindings(of: responder, lookup).filter { $0.trigger.phase == phase }
                // A control handles its touches, with handlers or without.
                if !bindings.isEmpty || responder is Control {
                    return bindings.map { handler($0, at: responder, lookup) }
                }
            }
            return []
        }
    }

    private func bindings(of responder: Responder, _ lookup: SpecLookup) -> [HandlerBinding] {
        switch responder {
        case let controller as PageController: controller.page.on
        case is Application: document.on
        case let view as View: lookup.spec(of: view)?.on ?? []
        default: []
        }
    }

    private func handler(_ binding: HandlerBinding, at responder: Responder, _ lookup: SpecLookup) -> HitReport.Handler
    {
        HitReport.Handler(
            at: name(of: responder, by: lookup), trigger: binding.trigger.rawValue, handler: binding.step.name)
    }
}

extension Touch.Phase {
    /// The phases that responders are told of.
    fileprivate static let delivered: [Touch.Phase] = [.began, .moved, .ended, .cancelled]
}
