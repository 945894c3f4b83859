import Foundation
import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A rotary knob") struct RotaryKnobTests {
    let stage = Stage()
    let knob = RotaryKnob(frame: CGRect(x: 400, y: 400, width: 200, height: 200))
    let changes = Counter()

    init() {
        knob.addHandler(for: .valueChanged) { [changes] _, _ in changes.count() }
        stage.window.addSubview(knob)
    }

    /// Turns a finger that is 80 points from the center, in steps of one degree.
    private func turn(_ finger: Finger, from start: Int, to end: Int) {
        for degree in stride(from: start, through: end, by: start < end ? 1 : -1) {
            finger.moves(to: point(degree))
        }
    }

    private func point(_ degree: Int) -> CGPoint {
        let angle = CGFloat(degree) * .pi / 180
        return CGPoint(x: 500 + 80 * cos(angle), y: 500 + 80 * sin(angle))
    }

    @Test("a turn counts the shorter way around, also where the angle jumps, and stops at the end of the range")
    func turn() {
        let finger = stage.finger()
        finger.lands(at: point(90))
        turn(finger, from: 91, to: 270)
        #expect(abs(knob.value - 0.5) < 1e-6 && changes.value == 180)
        turn(finger, from: 271, to: 540)
        #expect(knob.value == 1)
        turn(finger, from: 539, to: 450)
        finger.lifts()
        #expect(abs(knob.value - 0.75) < 1e-6 && knob.accessibilityValue == "75 %")
    }

    @Test("corners and the hub do not turn it, and the finger may leave it")
    func hit() {
        let corner = stage.finger(at: 405, 405)
        corner.moves(to: 595, 405)
        corner.lifts()
        let hub = stage.finger(at: 510, 500)
        hub.moves(to: 500, 580)
        #expect(!knob.isTracking)
        hub.lifts()
        #expect(changes.value == 0)
        let finger = stage.finger(at: 580, 500)
        finger.moves(to: 900, 900)
        #expect(knob.isTracking && abs(knob.value - 0.125) < 1e-6)
    }

    @Test("a second finger turns nothing")
    func secondFinger() {
        _ = stage.finger(at: 580, 500)
        let second = stage.finger(at: 420, 500)
        second.moves(to: 500, 420)
        second.lifts()
        #expect(knob.isTracking && knob.value == 0)
    }

    @Test("a cancelled turn is undone")
    func cancelled() {
        let finger = stage.finger(at: 580, 500)
        finger.moves(to: 500, 580)
        #expect(knob.value == 0.25)
        finger.becomesPalm()
        #expect(knob.value == 0 && changes.value == 2 && !knob.isHighlighted)
    }
}
