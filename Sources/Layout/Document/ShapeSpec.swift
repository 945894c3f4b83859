import Foundation

/// The touchable part of a view's bounds.
package nonisolated enum ShapeSpec: Sendable, Equatable {
    /// The whole bounds.
    case rectangle
    /// The bounds with rounded corners of this radius, in points.
    case rounded(radius: CGFloat)
    /// The ellipse inscribed in the bounds.
    case ellipse
    /// The inside of a polygon by the even-odd rule; in the view's coordinates.
    case polygon([CGPoint])
}
