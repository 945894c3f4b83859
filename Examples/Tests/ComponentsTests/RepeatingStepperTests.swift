import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A stepper that repeats") struct RepeatingStepperTests {
    let stage = Stage()
    let stepper = RepeatingStepper(frame: CGRect(x: 100, y: 100, width: 200, height: 100), range: 0...20, value: 5)

    init() { stage.window.addSubview(stepper) }

    @Test("a tap steps once, a held button again and again")
    func hold() {
        stage.taps(at: 250, 150)
        #expect(stepper.value == 6)
        let finger = stage.finger(at: 150, 150)
        #expect(stepper.value == 5)
        stage.advanceTime(by: 0.75)
        #expect(stepper.value == 2)
        finger.lifts()
        stage.advanceTime(by: 2)
        #expect(stepper.value == 2)
    }

    @Test("a button is disabled at the end of the range, and enabled by the other one")
    func end() {
        let finger = stage.finger(at: 250, 150)
        stage.advanceTime(by: 5)
        #expect(stepper.value == 20 && !stepper.plus.isEnabled && !stepper.plus.isTracking)
        finger.lifts()
        stage.taps(at: 250, 150)
        #expect(stepper.value == 20)
        stage.taps(at: 150, 150)
        #expect(stepper.value == 19 && stepper.plus.isEnabled)
    }

    @Test("a stepper that begins at an end of its range does not leave it")
    func full() {
        let (full, empty) = (
            RepeatingStepper(frame: CGRect(x: 100, y: 300, width: 200, height: 100), range: 0...20, value: 20),
            RepeatingStepper(frame: CGRect(x: 100, y: 500, width: 200, height: 100), range: 0...20, value: 0)
        )
        stage.window.addSubview(full)
        stage.window.addSubview(empty)
        stage.taps(at: 250, 350)
        stage.taps(at: 150, 550)
        #expect(full.value == 20 && empty.value == 0)
        stage.taps(at: 150, 350)
        #expect(full.value == 19)
    }

    @Test("a finger that leaves, and a palm, end the repetition")
    func cancelled() {
        let finger = stage.finger(at: 250, 150)
        finger.moves(to: 250, 400)
        stage.advanceTime(by: 2)
        #expect(stepper.value == 6)
        finger.lifts()
        let palm = stage.finger(at: 250, 150)
        palm.becomesPalm()
        stage.advanceTime(by: 2)
        #expect(stepper.value == 7)
    }

    @Test("the other button does nothing while one is held, and the removed stepper stops")
    func secondFinger() {
        let finger = stage.finger(at: 250, 150)
        stage.taps(at: 150, 150)
        #expect(stepper.value == 6)
        stepper.removeFromSuperview()
        stage.advanceTime(by: 2)
        #expect(stepper.value == 6)
        finger.lifts()
    }
}
