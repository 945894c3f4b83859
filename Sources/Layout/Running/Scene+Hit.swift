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
        guard let number = document.number(ofScreen: screen) else { return nil }
        let window = windows[number]
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
        report.view = view === window ? nil : view?.accessibilityIdentifier
        report.path = views.filter { view in view !== window }.compactMap(\.accessibilityIdentifier)
        report.visits = visits.filter { tellsOutside || $0.outcome != .outside }.map(visit)
        report.recognizers = recognizers.map { view, recognizer in
            HitReport.Recognizer {
                $0.gesture = recognizer.name ?? "\(type(of: recognizer))"
                ($0.view, $0.isEnabled) = (name(of: view), recognizer.isEnabled)
            }
        }
        report.responders = responders.map(name)
        report.handlers =
            gestureHandlers(of: views) + controlHandlers(of: view) + touchHandlers(of: responders)
        report.forwarding = forwarding(of: view, recognizers.map(\.1))
        return report
    }

    private func forwarding(of view: View?, _ recognizers: [GestureRecognizer]) -> HitReport.Forwarding? {
        guard document.devices.contains(where: { $0.forwards == true }) else { return nil }
        let inherited = view?.inheritedForwardsTouches
        func names(_ isIncluded: (GestureRecognizer) -> Bool) -> [String] {
            recognizers.filter { $0.isEnabled && isIncluded($0) }.map { $0.name ?? "\(type(of: $0))" }
        }
        return HitReport.Forwarding {
            $0.isForwarded = inherited?.value ?? document.forward.isDefault
            $0.by = inherited.map { name(of: $0.from) } ?? "the layout"
            $0.cancelledBy = names { $0.cancelsForwardedTouches }
            $0.delayedBy = names { $0.delaysForwardedTouches }
        }
    }

    private func visit(_ visit: HitVisit) -> HitReport.VisitedView {
        let publisher = slot(of: visit.view)?.publisher
        return HitReport.VisitedView {
            ($0.view, $0.publisher, $0.depth) = (name(of: visit.view), publisher, visit.depth)
            if publisher == nil { $0.location = visit.view.layoutSpec.map { "\($0.location)" } }
            ($0.outcome, $0.reason) = text(for: visit.outcome)
        }
    }

    private func text(for outcome: HitVisit.Outcome) -> (HitReport.Outcome, String) {
        switch outcome {
        case .taken: (.taken, "takes the touch")
        case .redirected(let view): (.redirected, "redirects the touch to \(name(of: view))")
        case .entered: (.entered, "contains the view that takes the touch")
        case .passedThrough: (.passed, "passes the touch through")
        case .hidden: (.hidden, "is hidden")
        case .transparent: (.transparent, "has an alpha below \(View.minimumAlpha)")
        case .disabled: (.disabled, "is disabled")
        case .outside: (.outside, "does not contain the point")
        case .covered(let view): (.covered, "is behind \(name(of: view))")
        }
    }

    private func gestureHandlers(of views: [View]) -> [HitReport.Handler] {
        views.flatMap { view in
            (view.layoutSpec?.gestures ?? []).flatMap { gesture in
                let place = "\(gesture.id ?? gesture.kind.name.rawValue) of \(name(of: view))"
                return gesture.on.map { handler($0, at: place) }
            }
        }
    }

    private func controlHandlers(of view: View?) -> [HitReport.Handler] {
        guard let view, view is Control, let spec = view.layoutSpec else { return [] }
        return spec.on.filter { $0.trigger.phase == nil }.map { handler($0, at: name(of: view)) }
    }

    private func touchHandlers(of responders: [Responder]) -> [HitReport.Handler] {
        Touch.Phase.delivered.flatMap { phase in
            for responder in responders {
                let bindings = bindings(of: responder).filter { $0.trigger.phase == phase }
                // A control handles its touches even without handlers.
                if !bindings.isEmpty || responder is Control {
                    return bindings.map { handler($0, at: name(of: responder)) }
                }
            }
            return []
        }
    }

    private func bindings(of responder: Responder) -> [HandlerBinding] {
        switch responder {
        case let controller as PageController: controller.page.on
        case is Application: document.on
        case let view as View: view.layoutSpec?.on ?? []
        default: []
        }
    }

    private func handler(_ binding: HandlerBinding, at place: String) -> HitReport.Handler {
        HitReport.Handler { ($0.at, $0.trigger, $0.handler) = (place, binding.trigger.rawValue, binding.step.name) }
    }

    // MARK: Names

    /// The names of responders in explanations, in order.
    package func names(of responders: [Responder]) -> [String] { responders.map(name) }

    /// A responder's name in explanations; for a view its id or its location in the file.
    private func name(of responder: Responder) -> String {
        switch responder {
        case let window as Window:
            let number = windows.firstIndex { $0 === window }
            return number.flatMap { document.screens[$0].name }.map { "window of screen '\($0)'" } ?? "window"
        case let controller as ViewController: return page(of: controller).map { "page '\($0)'" } ?? "page"
        case let view as View:
            if pages.values.contains(where: { $0.view === view }) { return "the page's own view" }
            if view is SlotContent { return "the published views" }
            if let id = view.accessibilityIdentifier { return "view '\(id)'" }
            return view.layoutSpec.map { "view at \($0.location)" } ?? "view without id"
        case is Application: return "application"
        default: return "\(type(of: responder))"
        }
    }
}

extension Touch.Phase {
    /// The phases that responders receive.
    fileprivate static let delivered: [Touch.Phase] = [.began, .moved, .ended, .cancelled]
}

/// The result of hit-testing without the views inside private ones.
///
/// A handler may have disabled or hidden a key because of what was typed. So the answer depends only on where the keys and the
/// views that redirect to them are: the private view takes each touch there, whichever view really does.
struct ConcealedHit {
    /// The view that receives the touch.
    let view: View?
    /// The visits to views outside of private views.
    let visits: [HitVisit]

    /// - Parameter point: In the window's coordinates.
    init(_ view: View?, _ visits: [HitVisit], at point: CGPoint, in window: Window) {
        let receivers = Self.order(visits).lazy.compactMap {
            Self.receiver(visits[$0], at: point, in: window, number: $0)
        }
        let receiver = receivers.first
        guard let receiver, let pad = receiver.pad else {
            self.view = view
            self.visits = visits.filter { !$0.view.isInsidePrivate }
            return
        }
        self.view = pad
        // What takes the touch as far as it is shown: the private view, or the view that redirects to a key in it.
        let last = receiver.isRedirected ? visits[receiver.number].view : pad
        var found: [HitVisit] = []
        for visit in visits where !visit.view.isInsidePrivate {
            // What lies behind would show whether a key took the touch.
            if found.contains(where: { $0.view === last }), !visit.view.isDescendant(of: last) || last === pad { break }
            var visit = visit
            if visit.view === last {
                visit.outcome = receiver.isRedirected ? .redirected(to: pad) : .taken
            } else if last.isDescendant(of: visit.view) {
                visit.outcome = .entered
            }
            found.append(visit)
        }
        self.visits = found
    }

    /// A visit that takes the touch; `pad` is the private view that it takes it for.
    private struct Receiver {
        var number: Int
        var pad: View?
        var isRedirected: Bool
    }

    /// The visits' numbers in the order in which views answer: what is in a view before the view itself.
    private static func order(_ visits: [HitVisit]) -> [Int] {
        var order: [Int] = [], open: [Int] = []
        for (number, visit) in visits.enumerated() {
            while let last = open.last, visits[last].depth >= visit.depth { order.append(open.removeLast()) }
            open.append(number)
        }
        return order + open.reversed()
    }

    private static func receiver(_ visit: HitVisit, at point: CGPoint, in window: Window, number: Int) -> Receiver? {
        if case .covered = visit.outcome { return nil }
        // Touches that a private view lets through are reported as touches of it too.
        let isPassed = [.passedThrough, .disabled, .transparent].contains(visit.outcome)
        if visit.view.isInsidePrivate || visit.view.isPrivate && isPassed {
            guard visit.view.point(inside: visit.view.convert(point, from: window), with: nil) else { return nil }
            return Receiver(number: number, pad: visit.view.outermostPrivate, isRedirected: false)
        }
        switch visit.outcome {
        case .taken: return Receiver(number: number, isRedirected: false)
        case .redirected(let target): return Receiver(number: number, pad: target.privateContainer, isRedirected: true)
        case .passedThrough, .entered:
            // It would take the touch if the key that it redirects to did.
            guard let target = visit.view.redirectTarget, target.window === window, let pad = target.privateContainer,
                pad.takesTouches
            else { return nil }
            return Receiver(number: number, pad: pad, isRedirected: true)
        case .hidden, .transparent, .disabled, .outside, .covered: return nil
        }
    }
}

extension View {
    fileprivate var isInsidePrivate: Bool { privateContainer != nil }

    /// The outermost private ancestor of this view; nil if it has none.
    fileprivate var privateContainer: View? { superview?.outermostPrivate }
}
