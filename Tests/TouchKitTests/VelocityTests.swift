import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B10 velocities")
final class VelocityTests: GestureSuite {
    let stage = Stage()
    let log = CallLog()
    private var atEnd: CGFloat?

    /// Drags a finger by 5 points every 10 ms, which is 500 points per second; returns the finger and its position.
    private func drag(_ pan: PanGestureRecognizer) -> (finger: Finger, x: Double) {
        pan.addHandler { [unowned self] _ in if pan.state == .ended { atEnd = pan.velocity(in: nil).x } }
        stage.window.addGestureRecognizer(pan)
        let finger = stage.finger()
        finger.lands(at: 100, 100)
        for step in 1...20 { finger.moves(to: 100 + Double(step) * 5, 100) }
        return (finger, 200)
    }

    @Test("B10 a finger that lifts after its last move ends a pan with its velocity")
    func liftedAtOnce() throws {
        let (finger, x) = drag(PanGestureRecognizer())

        finger.lifts(at: x, 100)

        #expect(abs(try #require(atEnd) - 500) < 1)
    }

    @Test("B10 a finger that rests before it lifts ends a pan with velocity 0", arguments: [110_000, 1_000_000])
    func rested(microseconds: Int64) {
        let (finger, x) = drag(PanGestureRecognizer())

        stage.time.microseconds += microseconds
        finger.lifts(at: x, 100)

        #expect(atEnd == 0)
    }

    @Test("B10 the velocity of a pan decays while the finger rests")
    func decays() {
        let pan = PanGestureRecognizer()
        _ = drag(pan)
        var velocities: [CGFloat] = []

        for _ in 1...6 {
            stage.advanceTime(by: 0.02)
            velocities.append(pan.velocity(in: nil).x)
        }

        #expect(zip(velocities, velocities.dropFirst()).allSatisfy { $0 > $1 || $1 == 0 })
        #expect(velocities[0] < 500 && velocities[1] > 0 && velocities[5] == 0)
    }

    @Test("B10 the velocity of a pinch decays while the fingers rest")
    func pinchDecays() {
        let pinch = PinchGestureRecognizer()
        stage.window.addGestureRecognizer(pinch)
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))
        for step in 1...20 {
            stage.send(first.moving(to: 100, 100), second.moving(to: 200 + Double(step) * 5, 100))
        }
        #expect(pinch.velocity > 1)

        stage.advanceTime(by: 0.2)

        #expect(pinch.velocity == 0)
    }
}
