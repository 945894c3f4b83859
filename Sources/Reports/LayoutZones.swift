import Foundation
import Layout
import TouchKit

/// The parts of a layout that a report needs: the geometry of its named views, and which of them respond to touches.
package struct LayoutZones: Sendable {
    struct Zone: Sendable {
        /// Whether the view can be touched and a touch has an effect.
        var isAwaited: Bool
        /// Whether a gesture of the view or of a superview may take its touches.
        var hasGestures: Bool
        /// Where its touches are: the view, and those that redirect to it.
        fileprivate var areas: [Area]

        /// Whether a point of the screen is where a touch of the view would begin, except for the corners of its shape.
        func contains(_ point: CGPoint) -> Bool { areas.contains { $0.contains(point) } }
    }

    fileprivate struct Area: Sendable {
        /// From the screen's coordinates to the view's own; nil if its transform cannot be inverted.
        var fromScreen: CGAffineTransform?
        /// The view's bounds with its slop.
        var reach: CGRect

        func contains(_ point: CGPoint) -> Bool {
            // The journal rounds to the hundredth, so a touch at the far edge can be on it.
            fromScreen.map { reach.insetBy(dx: -0.01, dy: -0.01).contains(point.applying($0)) } ?? true
        }
    }

    private(set) var zones: [String: Zone] = [:]
    /// The views that redirect their touches, with the ids of their targets.
    private var redirects: [(area: Area, id: String?, target: String)] = []
    package let hash: String
    /// The screens' sizes by their names; nil is the first.
    package let sizes: [String?: CGSize]

    /// Collects the views of all pages of a layout.
    package init(_ document: LayoutDocument) {
        var sizes: [String?: CGSize] = [nil: document.screens[0].size]
        for screen in document.screens { sizes[screen.name] = screen.size }
        self.sizes = sizes
        hash = document.fileHash
        let outermost = Context(toScreen: .identity, isReachable: true, hasGestures: false)
        for view in document.views { add(view, in: outermost) }
        for page in document.pages {
            for view in page.views { add(view, in: outermost) }
        }
        let targets = Dictionary(
            redirects.compactMap { redirect in redirect.id.map { ($0, redirect.target) } }, uniquingKeysWith: { $1 })
        for redirect in redirects {
            var target = redirect.target
            // A layout with an endless chain is refused.
            while let next = targets[target] { target = next }
            zones[target]?.areas.append(redirect.area)
        }
    }

    /// The distance of a point from the nearest edge of a screen, in points; nil for an unknown screen.
    func distanceToEdge(_ point: CGPoint, screen: String?) -> CGFloat? {
        sizes[screen].map { min(point.x, point.y, $0.width - point.x, $0.height - point.y) }
    }

    private struct Context {
        var toScreen: CGAffineTransform
        var isReachable: Bool
        var hasGestures: Bool
    }

    private mutating func add(_ view: ViewSpec, in outer: Context) {
        let toScreen = view.toSuperview.concatenating(outer.toScreen)
        let inner = Context(
            toScreen: toScreen,
            isReachable: outer.isReachable && view.canBeTouched && !view.isPrivate,
            hasGestures: outer.hasGestures || !view.gestures.isEmpty)
        let isInvertible = toScreen.a * toScreen.d != toScreen.b * toScreen.c
        let area = Area(
            fromScreen: isInvertible ? toScreen.inverted() : nil,
            reach: CGRect(origin: .zero, size: view.frame.size).outset(by: view.slop))
        if let target = view.redirect { redirects.append((area, view.id, target)) }
        if let id = view.id {
            zones[id] = Zone(
                isAwaited: inner.isReachable && view.hasEffect && !view.isPassthrough && view.redirect == nil,
                hasGestures: inner.hasGestures, areas: [area])
        }
        for subview in view.views { add(subview, in: inner) }
    }
}
