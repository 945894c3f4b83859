import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B10 tap, long press and pan")
struct TapPressPanTests: GestureSuite {
    let stage = Stage()
    let log = CallLog()

    @Test("B10 a tap may last 0.75 s and move 45 points, but no more")
    func tapLimits() {
        _ = attach(TapGestureRecognizer())
        func tap(lasting microseconds: Int64, straying points: Double) {
            let finger = stage.finger(at: 100, 100)
            finger.moves(to: 100 + points, 100)
            stage.time.microseconds += microseconds - 20_000
            finger.lifts(at: 100, 100)
        }

        tap(lasting: 749_999, straying: 45)
        #expect(log.lines == ["ended"])
        tap(lasting: 750_001, straying: 0)
        tap(lasting: 100_000, straying: 45.001)

        #expect(log.lines == ["ended"])
    }

    @Test("B10 a two-finger tap needs both down at once, without a third")
    func twoFingers() {
        let tap = attach(TapGestureRecognizer())
        tap.numberOfTouchesRequired = 2
        let fingers = (1...9).map { _ in stage.finger() }
        var places: [CGPoint] = []
        tap.addHandler { places.append($0.location(in: nil)) }

        fingers[0].lands(at: 100, 100)
        fingers[1].lands(at: 200, 100)
        fingers[0].lifts(at: 100, 100)
        fingers[1].lifts(at: 200, 100)
        fingers[2].taps(at: 100, 100)
        fingers[3].taps(at: 200, 100)
        for finger in fingers[4...6] { finger.lands(at: 100, 100) }
        for finger in fingers[4...6] { finger.lifts(at: 100, 100) }

        #expect(log.lines == ["ended"])
        #expect(places == [CGPoint(x: 150, y: 100)])
    }

    @Test("B10 a triple tap accepts pauses up to 0.35 s and positions within 45 points")
    func tripleTap() {
        let tap = attach(TapGestureRecognizer())
        tap.numberOfTapsRequired = 3
        func taps(pause: Int64, apart: Double) {
            for number in 0..<3 {
                stage.taps(at: 100 + (number == 2 ? apart : 0), 100)
                stage.time.microseconds += pause - 10_000
            }
            stage.advanceTime(by: 1)
        }

        taps(pause: 349_999, apart: 45)
        #expect(log.lines == ["ended"])
        taps(pause: 350_001, apart: 0)
        taps(pause: 100_000, apart: 45.001)

        #expect(log.lines == ["ended"])
    }

    @Test("B10 a long press begins after 0.5 s and ends when the finger lifts")
    func longPress() {
        _ = attach(LongPressGestureRecognizer())
        let finger = stage.finger(at: 100, 100)

        stage.advanceTime(by: 0.499999)
        #expect(log.lines.isEmpty)
        stage.advanceTime(by: 0.000001)
        #expect(log.lines == ["began"])
        finger.moves(to: 300, 100)
        finger.lifts(at: 300, 100)

        #expect(log.lines == ["began", "changed", "ended"])
    }

    @Test(
        "B10 a long press fails on an early lift or 10 points of movement")
    func longPressFails() {
        _ = attach(LongPressGestureRecognizer())
        let fingers = (1...4).map { _ in stage.finger() }

        fingers[0].taps(at: 100, 100)
        stage.advanceTime(by: 1)
        fingers[1].lands(at: 100, 100)
        fingers[1].moves(to: 110.001, 100)
        stage.advanceTime(by: 1)
        fingers[1].lifts(at: 110, 100)
        #expect(log.lines.isEmpty)
        fingers[2].lands(at: 100, 100)
        fingers[2].moves(to: 110, 100)
        stage.advanceTime(by: 1)
        stage.application.cancelAllTouches()

        #expect(log.lines == ["began", "cancelled"])
    }

    @Test("B10 a tap subclass that ignores a touch counts only the next one")
    func tapThatIgnores() {
        final class ChoosyTap: TapGestureRecognizer {
            var isChoosy = false

            override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
                super.touchesBegan(touches, with: event)
                if isChoosy { for touch in touches { ignore(touch, for: event) } }
            }
        }
        let tap = attach(ChoosyTap())
        let (first, second) = (stage.finger(), stage.finger())
        tap.isChoosy = true
        first.taps(at: 100, 100)
        #expect(log.lines.isEmpty)
        tap.isChoosy = false
        stage.advanceTime(by: 1)

        second.taps(at: 100, 100)

        #expect(log.lines == ["ended"])
    }

    @Test("B10 a long press continues when a finger lifts that came later")
    func pressAndOther() {
        _ = attach(LongPressGestureRecognizer())
        let first = stage.finger(at: 100, 100)
        stage.advanceTime(by: 1)
        stage.taps(at: 300, 300)
        #expect(log.lines == ["began"])
        first.lifts()
        #expect(log.lines == ["began", "ended"])
    }

    @Test("B10 a long press after a tap")
    func tapAndPress() {
        let press = attach(LongPressGestureRecognizer())
        press.numberOfTapsRequired = 1

        stage.finger(at: 100, 100)
        stage.advanceTime(by: 1)
        stage.application.cancelAllTouches()
        stage.advanceTime(by: 1)
        stage.taps(at: 100, 100)
        stage.finger(at: 100, 100)
        stage.advanceTime(by: 1)

        #expect(log.lines == ["began"])
    }

    @Test("B10 a press begins before a late frame, because timers follow the frames")
    func replay() {
        _ = attach(LongPressGestureRecognizer())
        let finger = stage.finger(at: 100, 100)

        stage.time.microseconds += 10_000_000
        finger.lifts(at: 100, 100)

        #expect(log.lines == ["began", "ended"])
    }

    @Test("B10 a pan begins after 10 points and counts its translation from where it landed")
    func pan() {
        let pan = attach(PanGestureRecognizer())
        var translations: [CGPoint] = []
        pan.addHandler { _ in translations.append(pan.translation(in: nil)) }
        let finger = stage.finger(at: 100, 100)
        finger.moves(to: 109.999, 100)
        #expect(log.lines.isEmpty)
        finger.moves(to: 110, 100)
        finger.moves(to: 130, 140)
        #expect(pan.velocity(in: nil).y > 0)
        pan.setTranslation(.zero, in: nil)
        finger.moves(to: 131, 141)
        finger.lifts(at: 131, 141)

        #expect(log.lines == ["began", "changed", "changed", "ended"])
        #expect(
            translations == [
                CGPoint(x: 10, y: 0), CGPoint(x: 30, y: 40), CGPoint(x: 1, y: 1), CGPoint(x: 1, y: 1),
            ])
    }

    @Test("B10 the velocity of a steady movement is its speed in points per second")
    func velocity() {
        let pan = attach(PanGestureRecognizer())
        let finger = stage.finger(at: 100, 100)

        for step in 1...20 { finger.moves(to: 100 + Double(step) * 4, 100 - Double(step) * 2) }

        #expect(abs(pan.velocity(in: nil).x - 400) < 1e-6 && abs(pan.velocity(in: nil).y + 200) < 1e-6)
    }

    @Test(
        "B10 a two-finger pan does not jump when one of three fingers lifts"
    )
    func panOfTwo() {
        let pan = attach(PanGestureRecognizer())
        pan.minimumNumberOfTouches = 2
        let fingers = (1...3).map { _ in stage.finger() }
        stage.send(fingers[0].landing(at: 100, 100), fingers[1].landing(at: 200, 100))

        stage.send(fingers[0].moving(to: 100, 120), fingers[1].moving(to: 200, 120))
        fingers[2].lands(at: 900, 900)
        stage.send(fingers[0].moving(to: 100, 150), fingers[1].moving(to: 200, 150), fingers[2].moving(to: 900, 930))
        fingers[2].lifts(at: 900, 930)
        #expect(pan.translation(in: nil) == CGPoint(x: 0, y: 50))
        fingers[0].lifts(at: 100, 150)
        fingers[1].lifts(at: 200, 150)

        #expect(log.lines == ["began", "changed", "ended"])
    }

    @Test("B10 a pan with too many fingers fails; a later finger is ignored")
    func panWithTooMany() {
        let pan = attach(PanGestureRecognizer())
        pan.maximumNumberOfTouches = 1
        let fingers = (1...4).map { _ in stage.finger() }

        stage.send(fingers[0].landing(at: 100, 100), fingers[1].landing(at: 200, 100))
        stage.send(fingers[0].moving(to: 100, 200), fingers[1].moving(to: 200, 200))
        stage.send(fingers[0].lifting(at: 100, 200), fingers[1].lifting(at: 200, 200))
        #expect(log.lines.isEmpty)
        fingers[2].lands(at: 100, 100)
        fingers[2].moves(to: 100, 120)
        fingers[3].lands(at: 900, 900)
        fingers[3].moves(to: 100, 900)

        #expect(log.lines == ["began"])
        #expect(pan.numberOfTouches == 1)
    }

    @Test("B10 a two-finger long press counts its time from the second finger")
    func pressOfTwo() {
        let press = attach(LongPressGestureRecognizer())
        press.numberOfTouchesRequired = 2
        func hold(secondMoves distance: Double) {
            let (first, second) = (stage.finger(), stage.finger())
            first.lands(at: 100, 100)
            stage.advanceTime(by: 0.4)
            second.lands(at: 200, 100)
            stage.advanceTime(by: 0.4)
            second.moves(to: 200 + distance, 100)
            // The second finger has been down for 0.41 s.
            stage.advanceTime(by: 0.089999)
            #expect(press.state != .began)
            stage.advanceTime(by: 0.000001)
            stage.send(first.lifting(at: 100, 100), second.lifting(at: 200, 100))
        }

        hold(secondMoves: 10.001)
        #expect(log.lines.isEmpty)
        hold(secondMoves: 10)

        #expect(log.lines == ["began", "ended"])
    }

    @Test(
        "B10 a pan begins when the center of its fingers has moved 10 points", arguments: [(9.999, false), (10, true)])
    func middleOfPan(distance: Double, begins: Bool) {
        _ = attach(PanGestureRecognizer())
        let (first, _) = stage.fingers(at: (100, 100), (200, 100))

        first.moves(to: 100, 100 + 2 * distance)

        #expect(log.lines == (begins ? ["began"] : []))
    }
}
