import Evdev
import Foundation

/// A surface that views are shown on and touched on.
///
/// The unit square of a device is stretched over its screen's bounds. Another program draws the screen.
public final class Screen {
    /// The screen of every device that was not given another.
    public static let main = Screen(bounds: CGRect(x: 0, y: 0, width: 1920, height: 1080))

    /// The screen's rectangle in points; its origin is the top left corner.
    public var bounds: CGRect

    /// Makes a screen of a size in points.
    public init(bounds: CGRect) { self.bounds = bounds }

    /// The place in points, in the screen's coordinates, of a point of a device's unit square.
    package func location(of point: SurfacePoint) -> CGPoint {
        CGPoint(x: bounds.minX + point.x * bounds.width, y: bounds.minY + point.y * bounds.height)
    }
}
