import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B10 swipe, pinch, rotation, edge pan, sequence and chord")
struct SwipePinchRotationTests: GestureSuite {
    let stage = Stage()
    let log = CallLog()

    private func stroke(_ x: Double, _ y: Double, lasting microseconds: Int64 = 100_000) {
        let finger = stage.finger()
        finger.lands(at: 500, 500)
        stage.time.microseconds += microseconds - 10_000
        finger.moves(to: 500 + x, 500 + y)
        finger.lifts(at: 500 + x, 500 + y)
        stage.advanceTime(by: 1)
    }

    @Test("B10 the defaults are UIKit's")
    func defaults() {
        let swipe = SwipeGestureRecognizer()

        #expect(swipe.direction == .right && swipe.numberOfTouchesRequired == 1)
        #expect(PinchGestureRecognizer().scale == 1 && RotationGestureRecognizer().rotation == 0)
        #expect(ScreenEdgePanGestureRecognizer().edges.isEmpty)
    }

    @Test(
        "B10 a swipe moves 50 points within 0.5 s, at most 50 to the side",
        arguments: [
            (50.0, 0.0, 100_000, true), (49.999, 0, 100_000, false), (50, 50, 100_000, true),
            (60, 50.001, 100_000, false),
            (50, 0, 499_999, true), (50, 0, 500_001, false), (-60, 0, 100_000, false), (0, 60, 100_000, false),
        ] as [(Double, Double, Int64, Bool)])
    func swipe(x: Double, y: Double, time: Int64, isRecognized: Bool) {
        _ = attach(SwipeGestureRecognizer())

        stroke(x, y, lasting: time)

        #expect(log.lines == (isRecognized ? ["ended"] : []))
    }

    @Test("B10 a swipe recognizes each of its directions, and no other")
    func directions() {
        let swipe = attach(SwipeGestureRecognizer())
        swipe.direction = [.left, .up]

        for (x, y) in [(-60.0, 0.0), (60, 0), (0, -60), (0, 60)] { stroke(x, y) }

        #expect(log.lines == ["ended", "ended"])
    }

    @Test("B10 a pinch begins when the distance has changed by 8 points")
    func pinch() {
        let pinch = attach(PinchGestureRecognizer())
        var scales: [CGFloat] = []
        pinch.addHandler { _ in scales.append(pinch.scale) }
        let (first, second) = (stage.finger(), stage.finger())

        stage.send(first.landing(at: 100, 100), second.landing(at: 192, 100))
        second.moves(to: 199.999, 100)
        #expect(log.lines.isEmpty)
        second.moves(to: 200, 100)
        second.moves(to: 300, 100)
        #expect(abs(pinch.velocity - 100) < 1e-9)
        pinch.scale = 1
        second.moves(to: 200, 100)
        first.lifts(at: 100, 100)
        second.lifts(at: 200, 100)

        #expect(log.lines == ["began", "changed", "changed", "ended"])
        #expect(scales == [1, 2, 0.5, 0.5])
    }

    @Test("B10 a rotation begins after 0.1 radians and continues past half a turn")
    func rotation() {
        let rotation = attach(RotationGestureRecognizer())
        let (first, second) = (stage.finger(), stage.finger())
        func turn(_ angle: Double) { second.moves(to: 500 + 100 * cos(angle), 500 + 100 * sin(angle)) }
        stage.send(first.landing(at: 500, 500), second.landing(at: 600, 500))

        turn(0.0999)
        #expect(log.lines.isEmpty)
        turn(0.11)
        for step in 1...8 { turn(0.11 + Double(step) * 0.5) }

        #expect(log.lines.first == "began" && log.lines.count == 9)
        #expect(abs(rotation.rotation - 4) < 1e-9)
        #expect(abs(rotation.velocity - 50) < 1e-6)
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
        #expect(abs(rotation.rotation - direction * 2 * .pi / 180) < 1e-9)
    }

    @Test("B10 a third finger is not part of a pinch")
    func thirdFinger() {
        let pinch = attach(PinchGestureRecognizer())
        let fingers = (1...3).map { _ in stage.finger() }
        stage.send(fingers[0].landing(at: 100, 100), fingers[1].landing(at: 200, 100))
        fingers[1].moves(to: 300, 100)

        fingers[2].lands(at: 900, 900)
        fingers[2].moves(to: 100, 900)
        fingers[2].lifts(at: 100, 900)

        #expect(log.lines == ["began"] && pinch.numberOfTouches == 2)
    }

    @Test("B10 an edge pan begins within 13 points of one of its edges and moves inwards")
    func edgePan() {
        let pan = attach(ScreenEdgePanGestureRecognizer())
        func drag(from x: Double, _ y: Double, to endX: Double, _ endY: Double) {
            let finger = stage.finger()
            finger.lands(at: x, y)
            finger.moves(to: endX, endY)
            finger.lifts(at: endX, endY)
        }

        drag(from: 0, 500, to: 50, 500)
        #expect(log.lines.isEmpty)
        pan.edges = .left
        drag(from: 13, 500, to: 50, 500)
        #expect(log.lines == ["began", "ended"])
        drag(from: 13.001, 500, to: 50, 500)
        drag(from: 5, 500, to: 6, 600)
        drag(from: 1023, 500, to: 900, 500)

        #expect(log.lines == ["began", "ended"])
    }

    @Test("B10 a hover begins over the view and ends on leave or device removal")
    func hover() {
        let (outer, inner) = (View(frame: CGRect(x: 400, y: 400, width: 300, height: 300)), View(frame: .zero))
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
                stage.finger().taps(at: x, 50)
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
}
