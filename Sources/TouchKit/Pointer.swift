import Evdev
import Foundation

/// The pointer of one mouse on its screen; it exists as long as the device.
///
/// UIKit reports pointers only to recognizers. Here responders receive them too (`hoverBegan(_:with:)` and others).
@MainActor @preconcurrency public final class Pointer {
    /// The mouse.
    public let device: DeviceID
    /// The pointer's screen.
    public internal(set) var screen: Screen
    /// The view under the pointer, from its `hoverBegan` until its `hoverEnded`.
    public internal(set) var view: View?
    /// The location in its screen's coordinates.
    var screenLocation: CGPoint
    /// The hover recognizers under the pointer.
    var hovering: [GestureRecognizer] = []
    /// The touch of the left button while it is down.
    weak var touch: Touch?

    init(device: DeviceID, screen: Screen) {
        self.device = device
        self.screen = screen
        screenLocation = CGPoint(x: screen.bounds.midX, y: screen.bounds.midY)
    }

    /// The location in a view's coordinates; with nil, in those of the window under the pointer, or of its screen.
    public func location(in view: View?) -> CGPoint {
        guard let target = view ?? self.view?.window else { return screenLocation }
        return target.convertFromScreen(screenLocation)
    }

    /// Moves the pointer, and stops it at the screen's edges.
    func move(_ motion: PointerMotion) {
        switch motion {
        case .by(let x, let y):
            let bounds = screen.bounds
            // The hot spot stays on the last point of the screen: no view contains a location beyond it.
            screenLocation.x = min(max(screenLocation.x + x, bounds.minX), max(bounds.minX, bounds.maxX - 1))
            screenLocation.y = min(max(screenLocation.y + y, bounds.minY), max(bounds.minY, bounds.maxY - 1))
        case .to(let point):
            screenLocation = screen.location(of: point)
        }
    }
}
