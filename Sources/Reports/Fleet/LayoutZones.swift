import Foundation
import Layout
import TouchKit

/// What a report has to know of a layout: where its named views are, and which of them wait to be touched.
public struct LayoutZones: Sendable {
    struct Zone: Sendable {
        /// Whether something is to happen when it is touched, and can.
        var isAwaited: Bool
        /// Whether a gesture, its own or a superview's, may take its touches.
        var hasGestures: Bool
        /// From the screen's coordinates to the view's own; nil where its transform cannot be undone.
        fileprivate var fromScreen: CGAffineTransform?
        fileprivate var bounds: CGRect

        /// Whether a point of the screen lies in the view's bounds, its slop left out.
        func contains(_ point: CGPoint) -> Bool {
            guard let fromScreen else { return true }
            return bounds.contains(point.applying(fromScreen))
        }
    }

    /// The named views by their ids.
    private(set) var zones: [String: Zone] = [:]
    private let sizes: [String?: CGSize]

    /// Collects the views of a layout, those of all its pages.
    public init(_ document: LayoutDocument) {
        var sizes: [String?: CGSize] = [nil: document.screens[0].size]
        for screen in document.screens { sizes[screen.name] = screen.size }
        self.sizes = sizes
        let outermost = Surroundings(toScreen: .identity, isReachable: true, hasGestures: false)
        for view in document.views { add(view, in: outermost) }
        for page in document.pages {
            for view in page.views { add(view, in: outermost) }
        }
    }

    /// How far a point is from the nearest edge of a screen, in points; nil for a screen the layout does not have.
    func distanceToEdge(_ point: CGPoint, screen: String?) -> CGFloat? {
        sizes[screen].map { min(point.x, point.y, $0.width - point.x, $0.height - point.y) }
    }

    private struct Surroundings {
        var toScreen: CGAffineTransform
        var isReachable: Bool
        var hasGestures: Bool
    }

    private mutating func add(_ view: ViewSpec, in outer: Surroundings) {
        let size = view.frame.size
        let toSuperview = CGAffineTransform(translationX: -size.width / 2, y: -size.height / 2)
            .concatenating(view.transform)
            .concatenating(CGAffineTransform(translationX: view.frame.midX, y: view.frame.midY))
        let toScreen = toSuperview.concatenating(outer.toScreen)
        let inner = Surroundings(
            toScreen: toScreen,
            isReachable: outer.isReachable && !view.isHidden && view.isEnabled && view.alpha >= 0.01 && !view.isPrivate,
            hasGestures: outer.hasGestures || !view.gestures.isEmpty)
        if let id = view.id {
            let answers = !view.on.isEmpty || !view.gestures.isEmpty || view.control != nil
            let isInvertible = toScreen.a * toScreen.d != toScreen.b * toScreen.c
            zones[id] = Zone(
                isAwaited: inner.isReachable && answers && !view.isPassthrough && view.redirect == nil,
                hasGestures: inner.hasGestures,
                fromScreen: isInvertible ? toScreen.inverted() : nil, bounds: CGRect(origin: .zero, size: size))
        }
        for subview in view.views { add(subview, in: inner) }
    }
}
