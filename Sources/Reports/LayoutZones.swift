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
        /// From the screen's coordinates to the view's own; nil if its transform cannot be inverted.
        fileprivate var fromScreen: CGAffineTransform?
        fileprivate var bounds: CGRect

        /// Whether a point of the screen is in the view's bounds, without its slop.
        func contains(_ point: CGPoint) -> Bool {
            guard let fromScreen else { return true }
            return bounds.contains(point.applying(fromScreen))
        }
    }

    private(set) var zones: [String: Zone] = [:]
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
        if let id = view.id {
            let isInvertible = toScreen.a * toScreen.d != toScreen.b * toScreen.c
            zones[id] = Zone(
                isAwaited: inner.isReachable && view.hasEffect && !view.isPassthrough && view.redirect == nil,
                hasGestures: inner.hasGestures, fromScreen: isInvertible ? toScreen.inverted() : nil,
                bounds: CGRect(origin: .zero, size: view.frame.size))
        }
        for subview in view.views { add(subview, in: inner) }
    }
}
