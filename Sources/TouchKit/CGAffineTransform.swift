import Foundation

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
