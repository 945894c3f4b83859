import Evdev
import Foundation

/// The pointer of one mouse on its screen; lives as long as the device.
///
/// UIKit tells of pointers through recognizers alone; here responders are told too (`hoverBegan(_:with:)` and others).
public final class Pointer {
    /// The device that moves it.
    public let device: DeviceID
    /// The screen it is on.
    public internal(set) var screen: Screen
    /// The view it is over, while that view has been told so.
    public internal(set) var view: View?
    /// Where it is in its screen's coordinates.
    var screenLocation: CGPoint
    /// The hover recognizers it is over.
    var hovering: [HoverGestureRecognizer] = []
    /// The touch that its left button makes while it is down.
    var touch: Touch?

    init(device: DeviceID, screen: Screen) {
        self.device = device
        self.screen = screen
        screenLocation = CGPoint(x: screen.bounds.midX, y: screen.bounds.midY)
    }

    /// Where it is, in a view's coordinates; with nil, in those of the window it is over, or its screen's.
    public func location(in view: View?) -> CGPoint {
        guard let target = view ?? self.view?.window else { return screenLocation }
        return target.convertFromScreen(screenLocation)
    }

    /// Moves it, at most to the screen's edge.
    func move(_ motion: PointerMotion) {
        switch motion {
        case .by(let x, let y):
            let bounds = screen.bounds
            // The last point of a screen, as for a cursor's hot spot: beyond it no view contains the pointer.
            screenLocation.x = min(max(screenLocation.x + x, bounds.minX), max(bounds.minX, bounds.maxX - 1))
            screenLocation.y = min(max(screenLocation.y + y, bounds.minY), max(bounds.minY, bounds.maxY - 1))
        case .to(let point):
            screenLocation = screen.location(of: point)
        }
    }
}

/// How far wheels turned, in detents.
public struct Scroll: Hashable, Sendable {
    /// Of the horizontal wheel; positive is to the right.
    public var x: CGFloat
    /// Of the vertical wheel; positive is away from the user.
    public var y: CGFloat

    /// Makes a scroll from two numbers of detents.
    public nonisolated init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }
}
