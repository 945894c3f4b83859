import Foundation

/// Recognizes a one-finger pan that starts at an edge of the screen (`UIScreenEdgePanGestureRecognizer`).
///
/// ```swift
/// let pull = ScreenEdgePanGestureRecognizer()
/// pull.edges = .left
/// pull.addHandler(in: [.began]) { _ in print("open the menu") }
/// window.addGestureRecognizer(pull)
/// ```
@MainActor @preconcurrency open class ScreenEdgePanGestureRecognizer: PanGestureRecognizer {
    /// The edges that the pan may start at; empty by default, so a program must set them.
    public var edges: RectEdge = []

    /// touchd's default, in points.
    package nonisolated static let defaultMargin: CGFloat = 13

    /// The maximum distance from the edge for the start, in points of the screen; 13 by default. An addition: UIKit
    /// neither documents nor lets change its value.
    public var edgeMargin = defaultMargin

    private var edge: RectEdge = []

    /// Fails unless the first finger comes down at an accepted edge; ignores further fingers.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        for touch in activeTouches.dropFirst() { ignore(touch, for: event) }
        guard let first = activeTouches.first, touches.contains(first) else { return }
        edge = edges.intersection(edges(near: first.screenLocation, in: first.screen.bounds))
        if edge.isEmpty { return state = .failed }
        super.touchesBegan([first], with: event)
    }

    /// Whether the finger moved far enough, and more inwards than along the edge.
    override func hasBegun(_ distance: CGPoint) -> Bool {
        guard super.hasBegun(distance) else { return false }
        let (x, y) = (distance.x, distance.y)
        return edge.contains(.left) && x > abs(y) || edge.contains(.right) && -x > abs(y)
            || edge.contains(.top) && y > abs(x) || edge.contains(.bottom) && -y > abs(x)
    }

    private func edges(near point: CGPoint, in bounds: CGRect) -> RectEdge {
        var edges: RectEdge = []
        if point.x - bounds.minX <= edgeMargin { edges.insert(.left) }
        if bounds.maxX - point.x <= edgeMargin { edges.insert(.right) }
        if point.y - bounds.minY <= edgeMargin { edges.insert(.top) }
        if bounds.maxY - point.y <= edgeMargin { edges.insert(.bottom) }
        return edges
    }
}
