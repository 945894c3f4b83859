import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B10 thresholds, just inside and just outside")
struct GestureThresholdTests: GestureSuite {
    let stage = Stage()
    let log = CallLog()

    @Test("B10 a double tap's second finger comes down within 0.35 s")
    func pauseBetweenTaps() {
        let tap = attach(TapGestureRecognizer())
        tap.numberOfTapsRequired = 2
        func doubleTap(pause: Int64) {
            stage.finger().taps(at: 100, 100)
            stage.time.microseconds += pause - 10_000
            stage.finger().taps(at: 100, 100)
            stage.advanceTime(by: 1)
        }

        doubleTap(pause: 350_001)
        #expect(log.lines.isEmpty)
        doubleTap(pause: 349_999)

        #expect(log.lines == ["ended"])
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
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))

        first.moves(to: 100, 100 + 2 * distance)

        #expect(log.lines == (begins ? ["began"] : []))
    }

    @Test(
        "B10 each finger of a two-finger swipe moves 50 points within 0.5 s",
        arguments: [
            (50.0, 0.0, 10_000, true), (49.999, 0, 10_000, false), (50, 50, 10_000, true),
            (50, 50.001, 10_000, false), (50, 0, 499_999, true), (50, 0, 500_000, false),
        ] as [(Double, Double, Int64, Bool)])
    func swipeOfTwo(x: Double, y: Double, time: Int64, isRecognized: Bool) {
        let swipe = attach(SwipeGestureRecognizer())
        swipe.numberOfTouchesRequired = 2
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 100, 300))

        stage.time.microseconds += time - 10_000
        stage.send(first.moving(to: 200, 100), second.moving(to: 100 + x, 300 + y))

        #expect(log.lines == (isRecognized ? ["ended"] : []))
    }

    @Test("B10 a pinch begins at 8 points, outwards and inwards", arguments: [(7.999, false), (8, true)])
    func pinch(change: Double, begins: Bool) {
        _ = attach(PinchGestureRecognizer())
        for direction in [1.0, -1] {
            log.clear()
            let (first, second) = (stage.finger(), stage.finger())
            stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))
            second.moves(to: 200 + direction * change, 100)
            #expect(log.lines == (begins ? ["began"] : []), "\(direction)")
            stage.send(first.lifting(at: 100, 100), second.lifting(at: 200, 100))
        }
    }

    @Test("B10 a rotation begins at 0.1 radians, in both directions", arguments: [(0.0999, false), (0.1001, true)])
    func rotation(angle: Double, begins: Bool) {
        _ = attach(RotationGestureRecognizer())
        for direction in [1.0, -1] {
            log.clear()
            let (first, second) = (stage.finger(), stage.finger())
            stage.send(first.landing(at: 500, 500), second.landing(at: 600, 500))
            second.moves(to: 500 + 100 * cos(direction * angle), 500 + 100 * sin(direction * angle))
            #expect(log.lines == (begins ? ["began"] : []), "\(direction)")
            stage.send(first.lifting(at: 500, 500), second.lifting(at: 600, 500))
        }
    }

    @Test(
        "B10 an edge pan begins within 13 points of its edge and moves 10 inwards",
        arguments: [
            (.left, 13.0, 500.0, 10.0, 0.0, true), (.left, 13.001, 500, 10, 0, false),
            (.right, 1011, 500, -10, 0, true), (.right, 1010.999, 500, -10, 0, false),
            (.top, 500, 13, 0, 10, true), (.top, 500, 13.001, 0, 10, false),
            (.bottom, 500, 1011, 0, -10, true), (.bottom, 500, 1010.999, 0, -10, false),
            (.left, 5, 500, 9.999, 0, false), (.left, 5, 500, -5, 0, false),
            (.left, 5, 500, 20, 19.999, true), (.left, 5, 500, 20, 20, false),
            (.top, 500, 5, -19.999, 20, true), (.top, 500, 5, -20, 20, false),
            (.right, 5, 500, 10, 0, false),
        ] as [(RectEdge, Double, Double, Double, Double, Bool)])
    func edgePan(edge: RectEdge, x: Double, y: Double, byX: Double, byY: Double, begins: Bool) {
        let pan = attach(ScreenEdgePanGestureRecognizer())
        pan.edges = edge
        let finger = stage.finger()

        finger.lands(at: x, y)
        finger.moves(to: x + byX, y + byY)

        #expect(log.lines == (begins ? ["began"] : []))
    }

    @Test("B10 a hover ends at the edge of its view")
    func hover() {
        let view = View(frame: CGRect(x: 500, y: 500, width: 13, height: 100))
        stage.window.addSubview(view)
        view.addGestureRecognizer(HoverGestureRecognizer { [log] in log.add("\($0.state)") })

        stage.mouse.moves(by: 0.75, 0)
        #expect(log.lines == ["began"])
        stage.mouse.moves(by: 0.25, 0)

        #expect(log.lines == ["began", "ended"])
    }

    @Test("A sequence ends within its time, from the first down to the last up")
    func sequence() {
        _ = attach(SequenceGestureRecognizer(places: [CGRect(x: 0, y: 0, width: 100, height: 100)], within: 3))
        func tap(at x: Double, lasting microseconds: Int64) {
            let finger = stage.finger()
            finger.lands(at: x, 50)
            stage.time.microseconds += microseconds - 10_000
            finger.lifts(at: x, 50)
            stage.advanceTime(by: 1)
        }

        tap(at: 99.999, lasting: 3_000_001)
        tap(at: 100, lasting: 2_999_999)
        #expect(log.lines.isEmpty)
        tap(at: 99.999, lasting: 2_999_999)

        #expect(log.lines == ["ended"])
    }

    @Test("A chord's fingers move at most 20 points", arguments: [(20, true), (20.001, false)])
    func chord(distance: Double, isRecognized: Bool) {
        _ = attach(ChordGestureRecognizer(touches: 2, duration: 1))
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))

        second.moves(to: 200, 100 + distance)
        stage.advanceTime(by: 1)

        #expect(log.lines == (isRecognized ? ["ended"] : []))
    }
}
