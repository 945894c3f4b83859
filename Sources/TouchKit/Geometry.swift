import Foundation

/// A view's geometry: its bounds, the origin of its frame without the transform, and its transform.
///
/// The origin is stored instead of the center, so that reading the frame returns exactly the value that was set.
struct Geometry {
    var origin: CGPoint
    var bounds: CGRect
    /// The transform; nil for the identity, the usual case, to save memory.
    private(set) var turn: Turn?

    /// A transform and its inverse.
    final class Turn {
        // Hit-testing reads this one first.
        let inverse: CGAffineTransform
        let transform: CGAffineTransform

        init(_ transform: CGAffineTransform) {
            self.transform = transform
            inverse = transform.inverted()
        }
    }

    init(frame: CGRect) {
        origin = frame.origin
        bounds = CGRect(origin: .zero, size: frame.size)
    }

    var center: CGPoint {
        get { CGPoint(x: origin.x + bounds.width / 2, y: origin.y + bounds.height / 2) }
        set { origin = CGPoint(x: newValue.x - bounds.width / 2, y: newValue.y - bounds.height / 2) }
    }

    var isTransformed: Bool { turn != nil }

    var transform: CGAffineTransform {
        get { turn?.transform ?? .identity }
        set { turn = newValue.isIdentity ? nil : Turn(newValue) }
    }

    var frame: CGRect {
        if !isTransformed { return CGRect(origin: origin, size: bounds.size) }
        return bounds.isNull ? bounds : bounds.boundingBox { toSuperview($0) }
    }

    func toSuperview(_ point: CGPoint) -> CGPoint {
        guard let turn else {
            return CGPoint(x: point.x - bounds.origin.x + origin.x, y: point.y - bounds.origin.y + origin.y)
        }
        let moved = CGPoint(x: point.x - bounds.midX, y: point.y - bounds.midY).applying(turn.transform)
        let center = center
        return CGPoint(x: moved.x + center.x, y: moved.y + center.y)
    }

    @inline(__always)
    func fromSuperview(_ point: CGPoint) -> CGPoint {
        if let turn { return fromSuperview(point, turn) }
        return CGPoint(x: point.x - origin.x + bounds.origin.x, y: point.y - origin.y + bounds.origin.y)
    }

    private func fromSuperview(_ point: CGPoint, _ turn: Turn) -> CGPoint {
        let center = center
        let moved = CGPoint(x: point.x - center.x, y: point.y - center.y).applying(turn.inverse)
        return CGPoint(x: moved.x + bounds.midX, y: moved.y + bounds.midY)
    }

    /// Whether the bounds contain a point: the left and top edges are inside, the right and bottom edges are not.
    @inline(__always)
    func contains(_ point: CGPoint) -> Bool {
        let (origin, size) = (bounds.origin, bounds.size)
        return point.x >= origin.x && point.x < origin.x + size.width
            && point.y >= origin.y && point.y < origin.y + size.height
    }

    /// Converts a point from the superview's coordinates to the view's; nil if it is outside the bounds.
    @inline(__always)
    func pointInside(fromSuperview point: CGPoint) -> CGPoint? {
        let local = fromSuperview(point)
        return contains(local) ? local : nil
    }
}

extension CGPoint {
    /// The distance to another point.
    func distance(to other: CGPoint) -> CGFloat {
        let (x, y) = (other.x - self.x, other.y - self.y)
        return (x * x + y * y).squareRoot()
    }
}

nonisolated extension CGPoint {
    /// The transformed point.
    public nonisolated func applying(_ transform: CGAffineTransform) -> CGPoint {
        CGPoint(
            x: transform.a * x + transform.c * y + transform.tx, y: transform.b * x + transform.d * y + transform.ty)
    }
}

nonisolated extension CGRect {
    /// The bounding box of the transformed rectangle; the null rectangle stays null, as in Core Graphics.
    public nonisolated func applying(_ transform: CGAffineTransform) -> CGRect {
        if isNull { return self }
        return boundingBox { $0.applying(transform) }
    }

    /// The bounding box of the converted corners.
    func boundingBox(_ convert: (CGPoint) -> CGPoint) -> CGRect {
        let first = convert(CGPoint(x: minX, y: minY)), second = convert(CGPoint(x: maxX, y: minY))
        let third = convert(CGPoint(x: minX, y: maxY)), fourth = convert(CGPoint(x: maxX, y: maxY))
        let left = min(first.x, second.x, third.x, fourth.x)
        let top = min(first.y, second.y, third.y, fourth.y)
        let right = max(first.x, second.x, third.x, fourth.x)
        let bottom = max(first.y, second.y, third.y, fourth.y)
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

nonisolated extension CGRect {
    /// The rectangle with its edges moved inwards (`CGRect.inset(by:)` in UIKit); the null rectangle stays null.
    ///
    /// Insets larger than the rectangle make its size negative, as in UIKit.
    public func inset(by insets: EdgeInsets) -> CGRect {
        if isNull { return self }
        let rect = standardized
        return CGRect(
            origin: CGPoint(x: rect.origin.x + insets.left, y: rect.origin.y + insets.top),
            size: CGSize(
                width: rect.size.width - insets.left - insets.right,
                height: rect.size.height - insets.top - insets.bottom))
    }
}
