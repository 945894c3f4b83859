import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B10 swipe, pinch, rotation, edge pan, sequence and chord")
struct SwipePinchRotationTests: GestureSuite {
    let stage = Stage(size: CGSize(width: 2048, height: 1024))
    let log = CallLog()

    @Test(
        "B10 each finger of a swipe moves 50 points within 0.5 s, at most 50 to the side",
        arguments: [
            (50.0, 0.0, 100_000, true), (49.999, 0, 100_000, false), (50, 50, 100_000, true),
            (60, 50.001, 100_000, false),
            (50, 0, 499_999, true), (50, 0, 500_000, false), (-60, 0, 100_000, false), (0, 60, 100_000, false),
        ] as [(Double, Double, Int64, Bool)], [1, 2])
    func swipe(_ row: (x: Double, y: Double, time: Int64, isRecognized: Bool), fingers: Int) {
        attach(SwipeGestureRecognizer()).numberOfTouchesRequired = fingers
        let (first, second) = (stage.finger(), stage.finger())
        let landing = [second.landing(at: 500, 500), first.landing(at: 500, 300)].prefix(fingers)
        stage.enqueue(Array(landing))

        stage.time.microseconds += row.time - 10_000
        let moving = [second.moving(to: 500 + row.x, 500 + row.y), first.moving(to: 600, 300)].prefix(fingers)
        stage.enqueue(Array(moving))
        stage.application.drainEvents()

        #expect(log.lines == (row.isRecognized ? ["ended"] : []))
    }

    @Test("B10 a swipe recognizes each of its directions, and no other")
    func directions() {
        let swipe = attach(SwipeGestureRecognizer())
        swipe.direction = [.left, .up]

        for (x, y) in [(-60.0, 0.0), (60, 0), (0, -60), (0, 60)] {
            let finger = stage.finger(at: 500, 500)
            finger.moves(to: 500 + x, 500 + y)
            finger.lifts()
        }

        #expect(log.lines == ["ended", "ended"])
    }

    @Test("B10 a pinch begins when the distance has changed by 8 points")
    func pinch() {
        let pinch = attach(PinchGestureRecognizer())
        var scales: [CGFloat] = []
        pinch.addHandler { _ in scales.append(pinch.scale) }
        let (first, second) = stage.fingers(at: (100, 100), (132, 100))
        second.moves(to: 139.999, 100)
        #expect(log.lines.isEmpty)
        second.moves(to: 140, 100)
        second.moves(to: 300, 100)
        #expect(pinch.velocity > 100)
        pinch.scale = 1
        #expect(pinch.velocity == 0)
        second.moves(to: 200, 100)
        #expect(abs(pinch.velocity + 50) < 1e-9)
        first.lifts(at: 100, 100)
        second.lifts(at: 200, 100)

        #expect(log.lines == ["began", "changed", "changed", "ended"])
        #expect(scales == [1.25, 6.25, 0.5, 0.5])
    }

    @Test("B10 a rotation past 180 degrees continues, in both directions", arguments: [1.0, -1])
    func rotationPastHalfTurn(direction: Double) {
        let rotation = attach(RotationGestureRecognizer())
        let (first, second) = (stage.finger(), stage.finger())
        func position(_ degrees: Double) -> (Double, Double) {
            let angle = direction * degrees * .pi / 180
            return (500 + 100 * cos(angle), 500 + 100 * sin(angle))
        }
        let (x, y) = position(160)
        stage.send(first.landing(at: 500, 500), second.landing(at: x, y))

        for degrees in [179.0, 181] {
            let (x, y) = position(degrees)
            second.moves(to: x, y)
        }

        #expect(log.lines == ["began", "changed"])
        #expect(abs(rotation.rotation - direction * 21 * .pi / 180) < 1e-9)
    }

    @Test("B10 a third finger is not part of a pinch, and does not reset its movement")
    func thirdFinger() {
        let pinch = attach(PinchGestureRecognizer())
        let fingers = (1...3).map { _ in stage.finger() }
        stage.send(fingers[0].landing(at: 100, 100), fingers[1].landing(at: 200, 100))
        stage.send(fingers[1].moving(to: 300, 100), fingers[2].landing(at: 900, 900))
        fingers[2].moves(to: 100, 900)
        fingers[2].lifts(at: 100, 900)

        #expect(log.lines == ["began"] && pinch.numberOfTouches == 2)
    }

    @Test("B10 a hover begins over the view and ends on leave or device removal")
    func hover() {
        let (outer, inner) = (View(frame: CGRect(x: 912, y: 400, width: 300, height: 300)), View(frame: .zero))
        inner.frame = CGRect(x: 100, y: 0, width: 200, height: 300)
        outer.addSubview(inner)
        stage.window.addSubview(outer)
        for (name, view) in [("outer", outer), ("inner", inner)] {
            view.addGestureRecognizer(
                HoverGestureRecognizer { [log] in log.add("\(name) \($0.state) \($0.location(in: outer).x)") })
        }

        stage.mouse.moves(by: 1, 0)
        stage.mouse.moves(by: -100, 0)
        stage.mouse.moves(by: 0, 10)
        stage.unplug(.mouse)

        #expect(
            log.lines == [
                "inner began 113.0", "outer began 113.0", "inner ended 13.0", "outer changed 13.0",
                "outer changed 13.0", "outer ended 13.0",
            ])
    }

    @Test("A sequence accepts taps in order and time, and views keep their touches")
    func sequence() {
        let places = [0.0, 900, 0].map { CGRect(x: $0, y: 0, width: 100, height: 100) }
        _ = attach(SequenceGestureRecognizer(places: places, within: 3))
        let view = RecordingView("view", stage.screen.bounds, log: log)
        stage.window.addSubview(view)
        func taps(_ places: [Double], pause: Int64 = 100_000) {
            log.clear()
            for x in places {
                stage.taps(at: x, 50)
                stage.time.microseconds += pause
            }
            stage.advanceTime(by: 5)
        }

        taps([50, 950, 50])
        #expect(
            log.lines == [
                "view.began 1", "view.ended 1", "view.began 1", "view.ended 1", "view.began 1", "ended", "view.ended 1",
            ])
        taps([50, 950, 950])
        #expect(!log.lines.contains("ended"))
        taps([50, 950, 50], pause: 1_600_000)
        #expect(!log.lines.contains("ended"))
        taps([50, 950, 50])

        #expect(log.lines.contains("ended"))
    }

    @Test("A chord requires its number of fingers, held together for its time")
    func chord() {
        _ = attach(ChordGestureRecognizer(touches: 3, duration: 2))
        let fingers = (1...7).map { _ in stage.finger() }

        for (number, finger) in fingers[0...2].enumerated() { finger.lands(at: 100 + Double(number) * 50, 100) }
        stage.advanceTime(by: 1.999999)
        #expect(log.lines.isEmpty)
        stage.advanceTime(by: 0.000001)
        #expect(log.lines == ["ended"])
        for finger in fingers[0...2] { finger.lifts(at: 100, 100) }
        for finger in fingers[3...6] { finger.lands(at: 100, 100) }
        stage.advanceTime(by: 5)

        #expect(log.lines == ["ended"])
    }

    @Test("B10 a pinch begins at 8 points, outwards and inwards", arguments: [(7.999, false), (8, true)])
    func pinch(change: Double, begins: Bool) {
        _ = attach(PinchGestureRecognizer())
        for direction in [1.0, -1] {
            log.clear()
            let (first, second) = stage.fingers(at: (100, 100), (200, 100))
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
            let (first, second) = stage.fingers(at: (500, 500), (600, 500))
            second.moves(to: 500 + 100 * cos(direction * angle), 500 + 100 * sin(direction * angle))
            #expect(log.lines == (begins ? ["began"] : []), "\(direction)")
            stage.send(first.lifting(at: 500, 500), second.lifting(at: 600, 500))
        }
    }

    @Test(
        "B10 an edge pan begins within 13 points of its edge and moves 10 inwards",
        arguments: [
            (.left, 13.0, 500.0, 10.0, 0.0, true), (.left, 13.001, 500, 10, 0, false),
            (.right, 2035, 500, -10, 0, true), (.right, 2034.999, 500, -10, 0, false),
            (.top, 500, 13, 0, 10, true), (.top, 500, 13.001, 0, 10, false),
            (.bottom, 500, 1011, 0, -10, true), (.bottom, 500, 1010.999, 0, -10, false),
            (.left, 5, 500, 9.999, 0, false), (.left, 5, 500, -5, 0, false),
            (.left, 5, 500, 20, 19.999, true), (.left, 5, 500, 20, 20, false),
            (.top, 500, 5, -19.999, 20, true), (.top, 500, 5, -20, 20, false),
            (.right, 5, 500, 10, 0, false), ([], 0, 500, 50, 0, false),
        ] as [(RectEdge, Double, Double, Double, Double, Bool)])
    func edgePan(edge: RectEdge, x: Double, y: Double, byX: Double, byY: Double, begins: Bool) {
        let pan = attach(ScreenEdgePanGestureRecognizer())
        pan.edges = edge
        let finger = stage.finger(at: x, y)
        finger.moves(to: x + byX, y + byY)

        #expect(log.lines == (begins ? ["began"] : []))
    }

    @Test("A sequence ends within its time, from the first down to the last up")
    func timeOfSequence() {
        _ = attach(SequenceGestureRecognizer(places: [CGRect(x: 0, y: 0, width: 100, height: 100)], within: 3))
        func tap(at x: Double, lasting microseconds: Int64) {
            let finger = stage.finger(at: x, 50)
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
        let (_, second) = stage.fingers(at: (100, 100), (200, 100))

        second.moves(to: 200, 100 + distance)
        stage.advanceTime(by: 1)

        #expect(log.lines == (isRecognized ? ["ended"] : []))
    }
}
