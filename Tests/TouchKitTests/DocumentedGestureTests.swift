import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("UIKit's class references for its recognizers")
struct DocumentedGestureTests: GestureSuite {
    let stage = Stage()
    let log = CallLog()

    @Test("B10 the location of a double tap is the center of its first tap's fingers")
    func placeOfTap() {
        let tap = attach(TapGestureRecognizer())
        tap.numberOfTapsRequired = 2
        tap.numberOfTouchesRequired = 2
        var places: [CGPoint] = []
        tap.addHandler { _ in
            places = [
                tap.location(in: nil), tap.location(ofTouch: 0, in: nil), tap.location(ofTouch: 1, in: nil),
            ]
        }
        func tapOfTwo(_ x: Double) {
            let (first, second) = stage.fingers(at: (x, 100), (x + 100, 100))
            stage.send(first.lifting(at: x, 100), second.lifting(at: x + 100, 100))
        }

        tapOfTwo(100)
        tapOfTwo(120)

        #expect(log.lines == ["ended"])
        #expect(places == [CGPoint(x: 150, y: 100), CGPoint(x: 100, y: 100), CGPoint(x: 200, y: 100)])
    }

    @Test("B10 the location of a swipe is its start")
    func placeOfSwipe() {
        let swipe = attach(SwipeGestureRecognizer())
        swipe.numberOfTouchesRequired = 2
        var places: [CGPoint] = []
        swipe.addHandler { [window = stage.window] _ in
            places = [swipe.location(in: nil), swipe.location(in: window), swipe.location(ofTouch: 1, in: nil)]
        }
        let (first, second) = stage.fingers(at: (100, 100), (100, 200))
        stage.send(first.moving(to: 160, 100), second.moving(to: 160, 200))

        #expect(log.lines == ["ended"])
        #expect(places == [CGPoint(x: 100, y: 150), CGPoint(x: 100, y: 150), CGPoint(x: 100, y: 200)])
    }

    @Test("B10 a pan changes while enough fingers are down, and ends when the last lifts")
    func endOfPan() {
        let pan = attach(PanGestureRecognizer())
        pan.minimumNumberOfTouches = 2
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))
        stage.send(first.moving(to: 100, 120), second.moving(to: 200, 120))

        second.lifts(at: 200, 120)
        first.moves(to: 100, 300)
        #expect(log.lines == ["began"] && pan.translation(in: nil) == CGPoint(x: 0, y: 20))
        third.lands(at: 200, 300)
        stage.send(first.moving(to: 100, 310), third.moving(to: 200, 310))
        #expect(log.lines == ["began", "changed"] && pan.translation(in: nil) == CGPoint(x: 0, y: 30))
        third.lifts(at: 200, 310)
        #expect(log.lines.last == "changed")
        first.lifts(at: 100, 310)

        #expect(log.lines == ["began", "changed", "ended"])
    }

    @Test("B10 a pinch continues with a new second finger, and ends when both lift")
    func endOfPinch() {
        let pinch = attach(PinchGestureRecognizer())
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))
        second.moves(to: 300, 100)
        second.moves(to: 500, 100)

        second.lifts(at: 500, 100)
        first.moves(to: 150, 100)
        #expect(log.lines == ["began", "changed"] && pinch.scale == 4)
        third.lands(at: 250, 100)
        third.moves(to: 200, 100)
        #expect(log.lines == ["began", "changed", "changed"] && pinch.scale == 2)
        stage.send(first.lifting(at: 150, 100), third.lifting(at: 200, 100))

        #expect(log.lines == ["began", "changed", "changed", "ended"])
    }

    @Test("B10 a rotation continues with a new second finger, and ends when both lift")
    func endOfRotation() {
        let rotation = attach(RotationGestureRecognizer())
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        stage.send(first.landing(at: 500, 500), second.landing(at: 600, 500))
        second.moves(to: 600, 600)
        second.moves(to: 500, 600)

        second.lifts(at: 500, 600)
        first.moves(to: 300, 500)
        #expect(log.lines == ["began", "changed"] && abs(rotation.rotation - .pi / 2) < 1e-9)
        third.lands(at: 400, 500)
        third.moves(to: 300, 600)
        #expect(log.lines == ["began", "changed", "changed"] && abs(rotation.rotation - .pi) < 1e-9)
        first.lifts(at: 300, 500)
        third.lifts(at: 300, 600)

        #expect(log.lines == ["began", "changed", "changed", "ended"])
    }

    @Test("B10 setting a rotation resets its velocity")
    func velocityOfRotation() {
        let rotation = attach(RotationGestureRecognizer())
        let (first, second) = (stage.finger(), stage.finger())
        func turn(_ angle: Double) { second.moves(to: 500 + 100 * cos(angle), 500 + 100 * sin(angle)) }
        stage.send(first.landing(at: 500, 500), second.landing(at: 600, 500))
        turn(0.2)
        turn(0.4)
        #expect(abs(rotation.velocity - 20) < 1e-6)

        rotation.rotation = 0
        #expect(rotation.velocity == 0)
        turn(0.3)

        #expect(abs(rotation.velocity + 10) < 1e-6)
    }

    @Test("B10 an edge pan ignores every touch beyond the first")
    func firstTouchOfEdgePan() {
        let pan = attach(ScreenEdgePanGestureRecognizer())
        pan.edges = .left
        let (first, second) = (stage.finger(at: 5, 500), stage.finger(at: 500, 500))
        second.moves(to: 900, 500)
        #expect(log.lines.isEmpty)
        first.moves(to: 25, 500)
        #expect(log.lines == ["began"] && pan.numberOfTouches == 1)
        first.lifts(at: 25, 500)

        #expect(log.lines == ["began", "ended"])
    }

    @Test("B6 a delegate or subclass may refuse an event, and is asked once")
    func shouldReceiveEvent() {
        final class Refusing: TapGestureRecognizer {
            override func shouldReceive(_ event: Event) -> Bool { false }
        }
        let answers = Answers()
        var isAllowed = true
        answers.shouldReceiveEvent = { [log] event in
            log.add("event \(event.allTouches?.count ?? 0)")
            return isAllowed
        }
        answers.shouldReceive = { [log] _, _ in
            log.add("touch")
            return true
        }
        let tap = attach(TapGestureRecognizer())
        tap.numberOfTouchesRequired = 2
        tap.delegate = answers
        _ = attach(Refusing())
        func tapOfTwo() {
            let (first, second) = stage.fingers(at: (100, 100), (200, 100))
            stage.send(first.lifting(at: 100, 100), second.lifting(at: 200, 100))
        }

        tapOfTwo()
        #expect(log.lines == ["event 2", "touch", "touch", "ended"])
        log.clear()
        isAllowed = false
        tapOfTwo()

        #expect(log.lines == ["event 2"])
    }

    // MARK: Velocities

    /// Drags a finger by 5 points every 10 ms, which is 500 points per second; returns the finger and its position.
    private func drag(_ pan: PanGestureRecognizer) -> (finger: Finger, x: Double) {
        stage.window.addGestureRecognizer(pan)
        let finger = stage.finger(at: 100, 100)
        for step in 1...20 { finger.moves(to: 100 + Double(step) * 5, 100) }
        return (finger, 200)
    }

    @Test(
        "B10 a finger that lifts after its last move ends a pan with its velocity, and with 0 if it rested",
        arguments: [(0, 500.0), (50_000, 0), (1_000_000, 0)])
    func lifted(rest microseconds: Int64, velocity: Double) throws {
        let pan = PanGestureRecognizer()
        var atEnd: CGFloat?
        pan.addHandler { _ in if pan.state == .ended { atEnd = pan.velocity(in: nil).x } }
        let (finger, x) = drag(pan)

        stage.time.microseconds += microseconds
        finger.lifts(at: x, 100)

        #expect(abs(try #require(atEnd) - velocity) < 1)
    }

    @Test("B10 the velocity of a pan is zero when the finger has rested for 40 milliseconds")
    func rest() {
        let pan = PanGestureRecognizer()
        _ = drag(pan)
        stage.advanceTime(by: 0.039)
        #expect(abs(pan.velocity(in: nil).x - 500) < 1)
        stage.advanceTime(by: 0.002)
        #expect(pan.velocity(in: nil) == .zero)
    }

    /// Places in points and true velocities in points a second, by the time in seconds.
    private nonisolated static let curves: [(String, @Sendable (Double) -> Double, @Sendable (Double) -> Double)] = [
        ("steady", { 800 * $0 }, { _ in 800 }), ("accelerating", { 2000 * $0 * $0 }, { 4000 * $0 }),
        ("decelerating", { -300 * exp(-5 * $0) }, { 1500 * exp(-5 * $0) }),
        ("turning", { 200 * sin(5 * $0) }, { 1000 * cos(5 * $0) }),
    ]

    @Test(
        "B10 a velocity is within 5 %, or 30 points a second, of a curve's own, also if a report is missing",
        arguments: curves, [60.0, 120, 240])
    func curve(
        _ curve: (name: String, place: @Sendable (Double) -> Double, slope: @Sendable (Double) -> Double),
        _ rate: Double
    ) {
        for lost in [nil, 2, 5] {
            for count in Int(rate / 4)..<Int(rate / 2) {
                var track = MotionTrack()
                for number in 0..<count where number != count - 1 - (lost ?? count) {
                    track.append(CGPoint(x: curve.place(Double(number) / rate), y: 0), at: Double(number) / rate)
                }
                let time = Double(count - 1) / rate
                let (velocity, slope) = (track.velocity(at: time).x, curve.slope(time))
                #expect(abs(velocity - slope) <= max(0.05 * abs(slope), 30), "\(curve.name) at \(time) s")
            }
        }
    }

    @Test(
        "B10 places off by 1 point put a velocity off by at most 85 points a second, and 95 % of them by 32 to 52",
        arguments: [(60.0, 52.0, 85.0), (120, 40, 80), (240, 32, 74)])
    func jitter(rate: Double, most: Double, all: Double) {
        var errors: [Double] = []
        for seed in 1...100 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            for curve in Self.curves {
                var track = MotionTrack()
                for number in 0..<Int(rate / 2) {
                    let time = Double(number) / rate
                    let place = curve.1(time) + Double.random(in: -1...1, using: &random)
                    track.append(CGPoint(x: place, y: 0), at: time)
                    if number < Int(rate / 4) { continue }
                    errors.append(abs(track.velocity(at: time).x - curve.2(time)))
                }
            }
        }
        errors.sort()
        #expect(errors[errors.count * 95 / 100] <= most)
        #expect(errors[errors.count - 1] <= all)
    }

    @Test("B10 a velocity has the new sign 50 milliseconds after a sharp turn", arguments: [60.0, 120, 240])
    func sharpTurn(_ rate: Double) {
        var track = MotionTrack()
        for number in 0...Int(0.35 * rate) {
            let time = Double(number) / rate
            track.append(CGPoint(x: time <= 0.3 ? 800 * time : 240 - 800 * (time - 0.3), y: 0), at: time)
        }
        #expect(track.velocity(at: 0.35).x < 0)
    }

    @Test("B10 the velocity of a pinch is zero after a rest")
    func pinchDecays() {
        let pinch = PinchGestureRecognizer()
        stage.window.addGestureRecognizer(pinch)
        let (first, second) = stage.fingers(at: (100, 100), (200, 100))
        for step in 1...20 {
            stage.send(first.moving(to: 100, 100), second.moving(to: 200 + Double(step) * 5, 100))
        }
        #expect(pinch.velocity > 1)

        stage.advanceTime(by: 0.2)

        #expect(pinch.velocity == 0)
    }
}
