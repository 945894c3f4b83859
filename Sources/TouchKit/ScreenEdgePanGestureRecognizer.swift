import Foundation

/// Recognizes a one-finger pan that starts at an edge of the screen (`UIScreenEdgePanGestureRecognizer`).
open class ScreenEdgePanGestureRecognizer: PanGestureRecognizer {
    /// The edges that the pan may start at; empty by default, so a program must set them.
    public var edges: RectEdge = []

    /// The maximum distance from the edge for the start, in points. UIKit documents no value; touchd uses 13.
    static let margin: CGFloat = 13

    private var edge: RectEdge = []

    /// Fails unless the first finger comes down at an accepted edge; ignores further fingers.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        for touch in activeTouches.dropFirst() { ignore(touch, for: event) }
        guard let first = activeTouches.first, touches.contains(first) else { return }
        edge = edges.intersection(Self.edges(at: first.screenLocation, in: first.screen.bounds))
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

    private static func edges(at point: CGPoint, in bounds: CGRect) -> RectEdge {
        var edges: RectEdge = []
        if point.x - bounds.minX <= margin { edges.insert(.left) }
        if bounds.maxX - point.x <= margin { edges.insert(.right) }
        if point.y - bounds.minY <= margin { edges.insert(.top) }
        if bounds.maxY - point.y <= margin { edges.insert(.bottom) }
        return edges
    }
}
