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

// MARK: - Core Graphics and UIKit

/// An affine transform, as in Core Graphics: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
///
/// Foundation on Linux has the other geometric types of Core Graphics, but not this one.
public nonisolated struct CGAffineTransform: Hashable, Sendable {
    /// The factor from x to x'.
    public var a: CGFloat
    /// The factor from x to y'.
    public var b: CGFloat
    /// The factor from y to x'.
    public var c: CGFloat
    /// The factor from y to y'.
    public var d: CGFloat
    /// The translation of x'.
    public var tx: CGFloat
    /// The translation of y'.
    public var ty: CGFloat

    /// Makes a transform from its six numbers.
    public nonisolated init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// Makes a transform of zeros, as in Core Graphics; `identity` is the transform that changes nothing.
    public nonisolated init() { self.init(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0) }

    /// The transform that changes nothing.
    public nonisolated static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Makes a translation by (x, y).
    public nonisolated init(translationX x: CGFloat, y: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y) }

    /// Makes a scale by x and y.
    public nonisolated init(scaleX x: CGFloat, y: CGFloat) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

    /// Makes a rotation by an angle in radians, clockwise if y points down.
    public nonisolated init(rotationAngle angle: CGFloat) {
        let sine = CGFloat(sin(Double(angle)))
        let cosine = CGFloat(cos(Double(angle)))
        self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }

    /// Whether the transform changes nothing.
    public nonisolated var isIdentity: Bool { a == 1 && b == 0 && c == 0 && d == 1 && tx == 0 && ty == 0 }

    /// The transform that applies this one and then `other`.
    public nonisolated func concatenating(_ other: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a: a * other.a + b * other.c, b: a * other.b + b * other.d,
            c: c * other.a + d * other.c, d: c * other.b + d * other.d,
            tx: tx * other.a + ty * other.c + other.tx, ty: tx * other.b + ty * other.d + other.ty)
    }

    /// The transform that translates by (x, y) and then applies this one.
    public nonisolated func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: x, y: y).concatenating(self)
    }

    /// The transform that scales by x and y and then applies this one.
    public nonisolated func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: x, y: y).concatenating(self)
    }

    /// The transform that rotates by an angle in radians and then applies this one.
    public nonisolated func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }

    /// The inverse; a transform without an inverse returns itself, as in Core Graphics.
    public nonisolated func inverted() -> CGAffineTransform {
        let determinant = a * d - b * c
        guard determinant != 0, determinant.isFinite else { return self }
        return CGAffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
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

/// A vector, as in Core Graphics; Foundation on Linux has no such type.
public nonisolated struct CGVector: Hashable, Codable, Sendable {
    /// The vector of length zero.
    public static let zero = CGVector()

    /// The horizontal component; positive is to the right.
    public var dx: CGFloat
    /// The vertical component; positive is down.
    public var dy: CGFloat

    /// Makes the vector of length zero.
    public init() { self.init(dx: 0, dy: 0) }

    /// Makes a vector from its two components.
    public init(dx: CGFloat, dy: CGFloat) {
        self.dx = dx
        self.dy = dy
    }
}

/// Distances from the edges of a rectangle inwards, in points (`UIEdgeInsets`).
public nonisolated struct EdgeInsets: Hashable, Sendable {
    /// Insets of zero.
    public static let zero = EdgeInsets()

    /// The distance from the top edge.
    public var top: CGFloat
    /// The distance from the left edge.
    public var left: CGFloat
    /// The distance from the bottom edge.
    public var bottom: CGFloat
    /// The distance from the right edge.
    public var right: CGFloat

    /// Makes insets of zero.
    public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }

    /// Makes insets from four distances; negative distances point outwards.
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
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
