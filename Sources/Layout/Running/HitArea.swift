import Foundation
import TouchKit

/// The touchable part of a view, and the receiver of touches there.
struct HitArea {
    /// The shape within the bounds.
    var shape: ShapeSpec
    /// How far touches may be outside the shape.
    var slop: EdgeInsets
    /// Whether only subviews receive touches.
    var isPassthrough: Bool
    /// Whether another view receives the touches.
    var isRedirected: Bool
    /// The view that receives redirected touches.
    private(set) weak var target: View?

    init(_ spec: ViewSpec) {
        shape = spec.shape
        slop = spec.slop
        isPassthrough = spec.isPassthrough
        isRedirected = spec.redirect != nil
    }

    /// Whether the area is that of an ordinary view: the bounds, without redirection.
    var isPlain: Bool { shape == .rectangle && slop == .zero && !isPassthrough && !isRedirected }

    mutating func redirect(to view: View?) { target = view }

    /// Whether the area contains a point in the view's coordinates.
    func contains(_ point: CGPoint, in bounds: CGRect) -> Bool {
        let reach = bounds.outset(by: slop)
        guard reach.contains(point) else { return false }
        switch shape {
        case .rectangle: return true
        case .ellipse: return Self.ellipse(reach, contains: point)
        case .rounded(let radius): return Self.rounded(reach, radius, contains: point)
        case .polygon(let corners): return isNear(corners, point)
        }
    }

    /// The view that receives a touch which hit `view`.
    func receiver(for view: View) -> View? {
        if isRedirected {
            guard let target, target.window === view.window, target.takesTouches else { return nil }
            return target
        }
        return isPassthrough ? nil : view
    }

    // MARK: Shapes

    private static func ellipse(_ rect: CGRect, contains point: CGPoint) -> Bool {
        let x = (point.x - rect.midX) / (rect.width / 2)
        let y = (point.y - rect.midY) / (rect.height / 2)
        return x * x + y * y <= 1
    }

    private static func rounded(_ rect: CGRect, _ radius: CGFloat, contains point: CGPoint) -> Bool {
        let radius = min(radius, rect.width / 2, rect.height / 2)
        let x = max(rect.minX + radius - point.x, point.x - (rect.maxX - radius), 0)
        let y = max(rect.minY + radius - point.y, point.y - (rect.maxY - radius), 0)
        return x * x + y * y <= radius * radius
    }

    /// Whether a point is inside a polygon by the even-odd rule, or within the slop of one of its sides.
    private func isNear(_ corners: [CGPoint], _ point: CGPoint) -> Bool {
        var isInside = false
        var previous = corners[corners.count - 1]
        for corner in corners {
            if (corner.y > point.y) != (previous.y > point.y) {
                let x = previous.x + (point.y - previous.y) / (corner.y - previous.y) * (corner.x - previous.x)
                if point.x < x { isInside.toggle() }
            }
            if slop != .zero, isNear(point, from: previous, to: corner) { return true }
            previous = corner
        }
        return isInside
    }

    private func isNear(_ point: CGPoint, from start: CGPoint, to end: CGPoint) -> Bool {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = dx * dx + dy * dy
        let part =
            length == 0 ? 0 : min(max(((point.x - start.x) * dx + (point.y - start.y) * dy) / length, 0), 1)
        let x = point.x - (start.x + part * dx)
        let y = point.y - (start.y + part * dy)
        return x >= -slop.left && x <= slop.right && y >= -slop.top && y <= slop.bottom
    }
}

extension View {
    /// Whether touches can reach the view: it and all its ancestors are visible and enabled.
    var takesTouches: Bool { withSuperviews.allSatisfy { $0.canBeHit } }
}
