import Foundation
import TouchKitTesting

/// A sequence of finger movements.
nonisolated enum FingerPlay: String, Sendable {
    /// One finger taps, once or twice 30 ms apart.
    case tap, doubleTap
    /// One finger rests for a second.
    case hold
    /// One finger rests for a second and then moves to the right.
    case holdAndDrag
    /// One finger moves 150 points to the right at 500 points per second, or at 50.
    case drag, slowDrag
    /// The same, starting 5 points from the left edge.
    case edgeDrag
    /// One finger moves 60 points to the right between two frames, from the middle or 5 points from the left edge.
    case flick, edgeFlick
    /// Two fingers move apart, turn about their center, or move to the right side by side.
    case spread, turn, dragOfTwo

    @MainActor func perform(on stage: Stage) {
        let (finger, second) = (stage.finger(), stage.finger())
        func drag(from x: Double, by distance: Double, over seconds: Double, after rest: Double = 0) {
            finger.lands(at: x, 500)
            if rest > 0 { stage.advanceTime(by: rest) }
            finger.moves(to: x + distance, 500, over: seconds)
            finger.lifts()
        }
        func two(_ place: (Double) -> (CGPoint, CGPoint)) {
            stage.send(finger.landing(at: place(0).0), second.landing(at: place(0).1))
            for step in stride(from: 1.0, through: 20, by: 1) {
                stage.send(finger.moving(to: place(step).0), second.moving(to: place(step).1))
            }
            stage.send(finger.lifting(), second.lifting())
        }
        switch self {
        case .tap: finger.taps(at: 500, 500)
        case .doubleTap:
            finger.taps(at: 500, 500)
            stage.time.microseconds += 20_000
            finger.taps(at: 500, 500)
        case .hold: drag(from: 500, by: 0, over: 0, after: 1)
        case .holdAndDrag: drag(from: 500, by: 150, over: 0.3, after: 1)
        case .drag: drag(from: 500, by: 150, over: 0.3)
        case .slowDrag:
            stage.frameInterval = 0.1
            drag(from: 500, by: 150, over: 3)
        case .edgeDrag: drag(from: 5, by: 150, over: 0.3)
        case .flick: drag(from: 500, by: 60, over: 0)
        case .edgeFlick: drag(from: 5, by: 60, over: 0)
        case .spread: two { (CGPoint(x: 450 - 5 * $0, y: 500), CGPoint(x: 550 + 5 * $0, y: 500)) }
        case .dragOfTwo: two { (CGPoint(x: 450 + 5 * $0, y: 500), CGPoint(x: 550 + 5 * $0, y: 500)) }
        case .turn:
            two { step in
                let (x, y) = (50 * cos(step / 20), 50 * sin(step / 20))
                return (CGPoint(x: 500 - x, y: 500 - y), CGPoint(x: 500 + x, y: 500 + y))
            }
        }
        stage.advanceTime(by: 2)
    }
}
