import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B10 velocities of gestures")
struct GestureVelocityTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    @Test("B10 setting a scale or rotation resets the velocity, which then counts from there")
    func reset() {
        let (pinch, rotation) = (attach(PinchGestureRecognizer()), RotationGestureRecognizer())
        let (first, second) = stage.fingers(at: (500, 500), (600, 500))
        func turn(_ angle: Double) { second.moves(to: 500 + 100 * cos(angle), 500 + 100 * sin(angle)) }
        for x in [700.0, 800] { second.moves(to: x, 500) }
        #expect(abs(pinch.velocity - 100) < 1e-6)
        pinch.scale = 1
        #expect(pinch.velocity == 0)
        second.moves(to: 650, 500)
        #expect(abs(pinch.velocity + 50) < 1e-6)
        stage.send(first.lifting(), second.lifting())

        attach(rotation)
        stage.send(first.landing(at: 500, 500), second.landing(at: 600, 500))
        for angle in [0.2, 0.4] { turn(angle) }
        #expect(abs(rotation.velocity - 20) < 1e-6)
        rotation.rotation = 0
        #expect(rotation.velocity == 0)
        turn(0.3)
        #expect(abs(rotation.velocity + 10) < 1e-6)
    }

    /// Drags a finger by 5 and 2.5 points every 10 ms, which is 500 and 250 points per second.
    private func drag(_ pan: PanGestureRecognizer) -> Finger {
        stage.window.addGestureRecognizer(pan)
        let finger = stage.finger(at: 100, 100)
        finger.moves(to: 200, 150, over: 0.2)
        return finger
    }

    @Test(
        "B10 a finger that lifts after its last move ends a pan with its velocity, and with 0 if it rested",
        arguments: [(0, 500.0), (50_000, 0), (1_000_000, 0)])
    func lifted(rest microseconds: Int64, velocity: Double) throws {
        let pan = PanGestureRecognizer()
        var atEnd: CGFloat?
        pan.addHandler { _ in if pan.state == .ended { atEnd = pan.velocity(in: nil).x } }
        let finger = drag(pan)

        stage.time.microseconds += microseconds
        finger.lifts()

        #expect(abs(try #require(atEnd) - velocity) < 1)
    }

    @Test("B10 the velocity of a pan is zero when the finger has rested for 40 milliseconds")
    func rest() {
        let pan = PanGestureRecognizer()
        _ = drag(pan)
        stage.advanceTime(by: 0.039)
        #expect(abs(pan.velocity(in: nil).x - 500) < 1e-6 && abs(pan.velocity(in: nil).y - 250) < 1e-6)
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
        let pinch = attach(PinchGestureRecognizer())
        stage.fingers(at: (100, 100), (200, 100)).1.moves(to: 300, 100, over: 0.2)
        #expect(pinch.velocity > 1)

        stage.advanceTime(by: 0.2)

        #expect(pinch.velocity == 0)
    }
}
