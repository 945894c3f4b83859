import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B8 recognizers in pairs")
struct GesturePairTests {
    /// One finger taps, rests for a second, or moves to the right by 150 points (slowly by 150, in a flick by 60), from
    /// the middle or from the left edge; two fingers move apart, turn about their center, or move side by side.
    nonisolated enum Play {
        case tap, doubleTap, hold, holdAndDrag, drag, slowDrag, flick, edgeDrag, edgeFlick, spread, turn, dragOfTwo
    }

    /// Two recognizers, what fingers do, and which of them recognize, in order; also if the second receives touches
    /// before the first, if that differs.
    typealias Pair = (first: Gesture, second: Gesture, play: Play, winners: [Gesture], reversed: [Gesture]?)

    private func make(_ gesture: Gesture, _ winners: Box<[Gesture]>) -> GestureRecognizer {
        let recognizer = gesture.makeRecognizer()
        let isDiscrete = recognizer is TapGestureRecognizer || recognizer is SwipeGestureRecognizer
        recognizer.addHandler { if $0.state == (isDiscrete ? .ended : .began) { winners.value.append(gesture) } }
        return recognizer
    }

    private func perform(_ play: Play, on stage: Stage) {
        func drag(from x: Double = 500, by way: Double = 150, over seconds: Double = 0.3, after rest: Double = 0) {
            let finger = stage.finger(at: x, 500)
            if rest > 0 { stage.advanceTime(by: rest) }
            finger.moves(to: x + way, 500, over: seconds)
            finger.lifts()
        }
        func two(_ place: (Double) -> (CGPoint, CGPoint)) {
            let (first, second) = (stage.finger(), stage.finger())
            stage.send(first.landing(at: place(0).0), second.landing(at: place(0).1))
            for step in stride(from: 1.0, through: 20, by: 1) {
                stage.send(first.moving(to: place(step).0), second.moving(to: place(step).1))
            }
            stage.send(first.lifting(), second.lifting())
        }
        switch play {
        case .tap: stage.taps(at: 500, 500)
        case .doubleTap: for _ in 1...2 { stage.taps(at: 500, 500) }
        case .hold: drag(by: 0, over: 0, after: 1)
        case .holdAndDrag: drag(after: 1)
        case .drag: drag()
        case .slowDrag:
            stage.frameInterval = 0.1
            drag(over: 3)
        case .flick: drag(by: 60, over: 0)
        case .edgeDrag: drag(from: 5)
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

            perform(pair.play, on: stage)

            let winners = isReversed ? pair.reversed ?? pair.winners : pair.winners
            #expect(recognized.value == winners, "\(pair) reversed \(isReversed), nested \(isNested)")
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
