import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B8 recognizers in pairs")
struct GesturePairTests {
    /// Two recognizers, what fingers do, and which of them recognize, in order; also if the second receives touches
    /// before the first, if that differs.
    typealias Pair = (first: Gesture, second: Gesture, play: [Act], winners: [Gesture], reversed: [Gesture]?)

    private func make(_ gesture: Gesture, _ winners: Box<[Gesture]>) -> GestureRecognizer {
        let recognizer = gesture.makeRecognizer()
        let isDiscrete = recognizer is TapGestureRecognizer || recognizer is SwipeGestureRecognizer
        recognizer.addHandler { if $0.state == (isDiscrete ? .ended : .began) { winners.value.append(gesture) } }
        return recognizer
    }

    /// On one view, and on a view and its superview.
    private func expectWinners(of pair: Pair, _ relate: (GestureRecognizer, GestureRecognizer) -> Void) {
        for (isReversed, isNested) in [(false, false), (false, true), (true, false), (true, true)] {
            let (stage, recognized) = (Stage(), Box<[Gesture]>([]))
            let view = View(frame: stage.screen.bounds)
            view.isMultipleTouchEnabled = true
            stage.window.addSubview(view)
            let (first, second) = (make(pair.first, recognized), make(pair.second, recognized))
            relate(first, second)
            view.addGestureRecognizer(isReversed ? second : first)
            (isNested ? stage.window : view).addGestureRecognizer(isReversed ? first : second)

            stage.play(pair.play + [.waits(2)])

            let winners = isReversed ? pair.reversed ?? pair.winners : pair.winners
            #expect(
                recognized.value == winners,
                "\(pair.first) and \(pair.second), reversed \(isReversed), nested \(isNested)")
        }
    }

    @Test(
        "B8 the first of two recognizers to recognize wins",
        arguments: [
            // Apple, "Preferring one gesture over another": the single tap is always recognized before the double tap.
            // A double tap prevents the single tap for its second tap if it receives the touch first, but not the
            // reverse.
            (.tap, .doubleTap, .doubleTap, [.tap, .tap, .doubleTap], [.tap, .doubleTap]),
            (.tap, .press, .hold, [.press], nil), (.tap, .pan, .drag, [.pan], nil),
            (.tap, .swipe, .slowDrag, [], nil), (.tap, .pinch, .spread, [.pinch], nil),
            (.doubleTap, .press, .doubleTap, [.doubleTap], nil), (.doubleTap, .edgePan, .tap, [], nil),
            (.press, .pan, .holdAndDrag, [.press], nil), (.press, .swipe, .drag, [.swipe], nil),
            // Apple, "Coordinating multiple gesture recognizers": a swipe beside a pan is never recognized, because the
            // pan is continuous and always recognizes first, even if both could recognize in the same frame.
            (.pan, .swipe, .drag, [.pan], nil), (.pan, .swipe, .flick, [.pan], nil),
            (.pan, .pinch, .dragOfTwo, [.pan], nil), (.pan, .pinch, .spread, [.pinch], nil),
            (.pan, .rotation, .turn, [.rotation], nil),
            // Both begin in the same frame. The documents do not specify the order; here the first to receive the touch
            // wins.
            (.pan, .edgePan, .edgeDrag, [.pan], [.edgePan]), (.swipe, .edgePan, .edgeFlick, [.edgePan], nil),
            (.swipe, .rotation, .drag, [.swipe], nil), (.pinch, .rotation, .spread, [.pinch], nil),
            (.pinch, .rotation, .turn, [.rotation], nil), (.rotation, .edgePan, .edgeDrag, [.edgePan], nil),
        ] as [Pair])
    func byDefault(_ pair: Pair) {
        expectWinners(of: pair) { _, _ in }
    }

    @Test(
        "B7 the first of two recognizers waits for the second to fail",
        arguments: [
            (.tap, .doubleTap, .tap, [.tap], nil), (.tap, .doubleTap, .doubleTap, [.doubleTap], nil),
            (.tap, .press, .tap, [.tap], nil), (.pan, .swipe, .flick, [.swipe], nil),
            (.pan, .swipe, .slowDrag, [.pan], nil), (.pan, .press, .holdAndDrag, [.press], nil),
            (.pan, .edgePan, .edgeDrag, [.edgePan], nil), (.pan, .edgePan, .drag, [.pan], nil),
            (.swipe, .pan, .drag, [.pan], nil),
        ] as [Pair])
    func requireToFail(_ pair: Pair) {
        expectWinners(of: pair) { first, second in first.require(toFail: second) }
    }

    @Test(
        "B8 both recognizers recognize if a delegate allows it",
        arguments: [
            (.tap, .doubleTap, .doubleTap, [.tap, .tap, .doubleTap], [.tap, .doubleTap, .tap]),
            (.press, .pan, .holdAndDrag, [.press, .pan], nil), (.pan, .swipe, .drag, [.pan, .swipe], nil),
            (.pan, .edgePan, .edgeDrag, [.pan, .edgePan], [.edgePan, .pan]),
        ] as [Pair])
    func simultaneous(_ pair: Pair) {
        let answers = Answers()
        answers.simultaneously = { _, _ in true }
        expectWinners(of: pair) { first, _ in first.delegate = answers }
    }
}

/// One finger taps, rests for a second, or moves to the right by 150 points (in 0.3 s, slowly in 3 s, in a flick by 60),
/// from the middle or from the left edge; two fingers move apart, turn about their center, or move side by side.
nonisolated extension [Act] {
    fileprivate static let tap: Self = [.lands(500, 500), .lifts()]
    fileprivate static let doubleTap = tap + tap
    fileprivate static let hold = drag(by: 0, frames: 1, after: 1), holdAndDrag = drag(after: 1)
    fileprivate static let drag = drag(), slowDrag = drag(pause: 0.09), flick = drag(by: 60, frames: 1)
    fileprivate static let edgeDrag = drag(from: 5), edgeFlick = drag(from: 5, by: 60, frames: 1)
    fileprivate static let spread = two { ((450 - 5 * $0, 500), (550 + 5 * $0, 500)) }
    fileprivate static let dragOfTwo = two { ((450 + 5 * $0, 500), (550 + 5 * $0, 500)) }
    fileprivate static let turn = two { step in
        let (x, y) = (50 * cos(step / 20), 50 * sin(step / 20))
        return ((500 - x, 500 - y), (500 + x, 500 + y))
    }

    private static func drag(
        from x: Double = 500, by way: Double = 150, frames: Int = 30, pause: Double = 0, after rest: Double = 0
    ) -> Self {
        let moves = (1...frames).map { Act.moves(x + way * Double($0) / Double(frames), 500) }
        return [.lands(x, 500), .waits(rest)] + moves.flatMap { [.isBusy(pause), $0] } + [.lifts()]
    }

    private static func two(_ places: (Double) -> ((Double, Double), (Double, Double))) -> Self {
        func frame(_ step: Int, _ act: (Double, Double, Int) -> Act) -> Act {
            let (first, second) = places(Double(step))
            return .together([act(first.0, first.1, 1), act(second.0, second.1, 2)])
        }
        let moves = (1...20).map { frame($0, Act.moves) }
        return [frame(0, Act.lands)] + moves + [.together([.lifts(), .lifts(finger: 2)])]
    }
}
