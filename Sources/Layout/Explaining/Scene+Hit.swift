import ControlProtocol
import Foundation
import TouchKit

extension Scene {
    /// Returns the effect of a touch at a point of a screen in the current state; delivers nothing and runs no handler.
    ///
    /// - Parameters:
    ///   - point: In points of the screen.
    ///   - screen: The screen's name; nil for the first. The result is nil if the layout has no such screen.
    ///   - tellsOutside: Whether to include views that do not contain the point: most views of a seat map, and the
    ///     least informative ones.
    ///   - concealsPrivate: Whether a private view stands for all its subviews, so that the result does not depend on
    ///     which of them are enabled or hidden.
    package func hit(
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
        let responders = view.map { Array(sequence(first: $0 as Responder) { $0.next }) } ?? []
        let views = responders.compactMap { $0 as? View }
        let recognizers = views.flatMap { view in (view.gestureRecognizers ?? []).map { (view, $0) } }
        var report = HitReport()
        (report.x, report.y, report.screen) = (point.x, point.y, document.screens[number].name)
        report.page = currentPage(onScreen: document.screens[number].name)
        report.view = view === window ? nil : view?.identifier
        report.path = views.filter { view in view !== window }.compactMap(\.identifier)
        report.visits = visits.filter { tellsOutside || $0.outcome != .outside }.map { visit($0, lookup) }
        report.recognizers = recognizers.map { view, recognizer in
            HitReport.Recognizer {
                $0.gesture = recognizer.name ?? "\(type(of: recognizer))"
                ($0.view, $0.isEnabled) = (name(of: view, by: lookup), recognizer.isEnabled)
            }
        }
        report.responders = responders.map { name(of: $0, by: lookup) }
        report.handlers =
            gestureHandlers(of: views, lookup) + controlHandlers(of: view, lookup)
            + touchHandlers(of: responders, lookup)
        report.forwarding = forwarding(of: view, recognizers.map(\.1), lookup)
        return report
    }

    private func forwarding(
        of view: View?, _ recognizers: [GestureRecognizer], _ lookup: SpecLookup
    ) -> HitReport.Forwarding? {
        guard document.devices.contains(where: { $0.forwards == true }) else { return nil }
        let inherited = view?.inheritedForwardsTouches
        func names(_ isIncluded: (GestureRecognizer) -> Bool) -> [String] {
            recognizers.filter { $0.isEnabled && isIncluded($0) }.map { $0.name ?? "\(type(of: $0))" }
        }
        return HitReport.Forwarding {
            $0.isForwarded = inherited?.value ?? document.forward.isDefault
            $0.by = inherited.map { name(of: $0.from, by: lookup) } ?? "the layout"
            $0.cancelledBy = names { $0.cancelsForwardedTouches }
            $0.delayedBy = names { $0.delaysForwardedTouches }
        }
    }

    private func visit(_ visit: HitVisit, _ lookup: SpecLookup) -> HitReport.Visit {
        let publisher = slot(of: visit.view)?.publisher
        return HitReport.Visit {
            ($0.view, $0.publisher, $0.depth) = (name(of: visit.view, by: lookup), publisher, visit.depth)
            if publisher == nil { $0.location = lookup.spec(of: visit.view).map { "\($0.location)" } }
            ($0.outcome, $0.reason) = text(for: visit.outcome, lookup)
        }
    }

    private func text(for outcome: HitVisit.Outcome, _ lookup: SpecLookup) -> (HitReport.Outcome, String) {
        switch outcome {
        case .taken: (.taken, "takes the touch")
        case .redirected(let view): (.redirected, "redirects the touch to \(name(of: view, by: lookup))")
        case .entered: (.entered, "contains the view that takes the touch")
        case .passedThrough: (.passed, "passes the touch through")
        case .hidden: (.hidden, "is hidden")
        case .transparent: (.transparent, "has an alpha below \(View.minimumAlpha)")
        case .disabled: (.disabled, "is disabled")
        case .outside: (.outside, "does not contain the point")
        case .covered(let view): (.covered, "is behind \(name(of: view, by: lookup))")
        }
    }

    private func gestureHandlers(of views: [View], _ lookup: SpecLookup) -> [HitReport.Handler] {
        views.flatMap { view in
            (lookup.spec(of: view)?.gestures ?? []).flatMap { gesture in
                let place = "\(gesture.id ?? gesture.kind.name.rawValue) of \(name(of: view, by: lookup))"
                return gesture.on.map { handler($0, at: place) }
            }
        }
    }

    private func controlHandlers(of view: View?, _ lookup: SpecLookup) -> [HitReport.Handler] {
        guard let view, view is Control, let spec = lookup.spec(of: view) else { return [] }
        return spec.on.filter { $0.trigger.phase == nil }.map { handler($0, at: name(of: view, by: lookup)) }
    }

    private func touchHandlers(of responders: [Responder], _ lookup: SpecLookup) -> [HitReport.Handler] {
        Touch.Phase.delivered.flatMap { phase in
            for responder in responders {
                let bindings = bindings(of: responder, lookup).filter { $0.trigger.phase == phase }
                // A control handles its touches even without handlers.
                if !bindings.isEmpty || responder is Control {
                    return bindings.map { handler($0, at: name(of: responder, by: lookup)) }
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

    private func handler(_ binding: HandlerBinding, at place: String) -> HitReport.Handler {
        HitReport.Handler { ($0.at, $0.trigger, $0.handler) = (place, binding.trigger.rawValue, binding.step.name) }
    }
}

extension Touch.Phase {
    /// The phases that responders receive.
    fileprivate static let delivered: [Touch.Phase] = [.began, .moved, .ended, .cancelled]
}
