import Evdev
import Foundation

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
        switch self {
        case .tap: stage.finger().tap(at: 500, 500)
        case .doubleTap:
            stage.finger().tap(at: 500, 500)
            stage.clock += 20_000
            stage.finger().tap(at: 500, 500)
        case .hold: hold(on: stage, dragging: 0)
        case .holdAndDrag: hold(on: stage, dragging: 30)
        case .drag: drag(on: stage, from: 500, pause: 0)
        case .slowDrag: drag(on: stage, from: 500, pause: 90_000)
        case .edgeDrag: drag(on: stage, from: 5, pause: 0)
        case .flick: flick(on: stage, from: 500)
        case .edgeFlick: flick(on: stage, from: 5)
        case .spread: two(on: stage) { (450 - 5 * $0, 500, 550 + 5 * $0, 500) }
        case .dragOfTwo: two(on: stage) { (450 + 5 * $0, 500, 550 + 5 * $0, 500) }
        case .turn:
            two(on: stage) { step in
                let (x, y) = (50 * cos(step / 20), 50 * sin(step / 20))
                return (500 - x, 500 - y, 500 + x, 500 + y)
            }
        }
        stage.clock += 2_000_000
        stage.application.advanceTime(to: InputTimestamp(microseconds: stage.clock))
    }

    @MainActor private func hold(on stage: Stage, dragging steps: Int) {
        let finger = stage.finger()
        finger.down(at: 500, 500)
        stage.clock += 1_000_000
        stage.application.advanceTime(to: InputTimestamp(microseconds: stage.clock))
        for step in 0..<steps { finger.move(to: 500 + Double(step) * 5, 500) }
        finger.lift(at: 500 + Double(steps) * 5, 500)
    }

    @MainActor private func drag(on stage: Stage, from x: Double, pause: Int64) {
        let finger = stage.finger()
        finger.down(at: x, 500)
        for step in 1...30 {
            stage.clock += pause
            finger.move(to: x + Double(step) * 5, 500)
        }
        finger.lift(at: x + 150, 500)
    }

    @MainActor private func flick(on stage: Stage, from x: Double) {
        let finger = stage.finger()
        finger.down(at: x, 500)
        finger.move(to: x + 60, 500)
        finger.lift(at: x + 60, 500)
    }

    @MainActor private func two(
        on stage: Stage, _ place: (Double) -> (x1: Double, y1: Double, x2: Double, y2: Double)
    ) {
        let (first, second) = (stage.finger(), stage.finger())
        var at = place(0)
        stage.send(first.began(at: at.x1, at.y1), second.began(at: at.x2, at.y2))
        for step in 1...20 {
            at = place(Double(step))
            stage.send(first.moved(to: at.x1, at.y1), second.moved(to: at.x2, at.y2))
        }
        stage.send(first.ended(at: at.x1, at.y1), second.ended(at: at.x2, at.y2))
    }
}
