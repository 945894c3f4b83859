import Evdev
import Foundation

/// Where the pointer of one mouse is on its screen, and the touch its left button makes.
struct PointerTracker {
    /// The touch while the button is down.
    var touch: Touch?
    private var location: CGPoint?

    /// The place in the screen's coordinates: its centre, until the mouse moves.
    mutating func place(on screen: Screen) -> CGPoint {
        let place = location ?? CGPoint(x: screen.bounds.midX, y: screen.bounds.midY)
        location = place
        return place
    }

    /// Moves the pointer, at most to the screen's edge, and answers where it is then.
    mutating func move(_ motion: PointerMotion, on screen: Screen) -> CGPoint {
        var place = place(on: screen)
        switch motion {
        case .by(let x, let y):
            let bounds = screen.bounds
            // The last point of a screen, as for a cursor's hot spot: beyond it no view contains the pointer.
            place.x = min(max(place.x + x, bounds.minX), max(bounds.minX, bounds.maxX - 1))
            place.y = min(max(place.y + y, bounds.minY), max(bounds.minY, bounds.maxY - 1))
        case .to(let point):
            place = screen.location(of: point)
        }
        location = place
        return place
    }
}
