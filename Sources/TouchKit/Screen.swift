import Evdev
import Foundation

/// A surface with windows that users touch.
///
/// The unit square of a device is scaled to its screen's bounds. Another program draws the screen.
@MainActor @preconcurrency public final class Screen {
    /// The default screen of every device.
    public static let main = Screen(bounds: CGRect(x: 0, y: 0, width: 1920, height: 1080))

    /// The screen's rectangle in points; its origin is the top left corner.
    public var bounds: CGRect

    /// Makes a screen with bounds in points.
    public init(bounds: CGRect) { self.bounds = bounds }

    /// The location, in the screen's coordinates, of a point in a device's unit square.
    package func location(of point: SurfacePoint) -> CGPoint {
        CGPoint(x: bounds.minX + point.x * bounds.width, y: bounds.minY + point.y * bounds.height)
    }
}
