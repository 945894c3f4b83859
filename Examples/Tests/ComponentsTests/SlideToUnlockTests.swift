import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A slide to unlock") struct SlideToUnlockTests {
    let stage = Stage()
    let slide = SlideToUnlock(frame: CGRect(x: 100, y: 100, width: 400, height: 100))
    let unlocks = Counter()
    let touchesOfWindow = Counter()

    init() {
        slide.onUnlock = unlocks.count
        stage.window.addSubview(slide)
        stage.window.addHandler(for: .began) { [touchesOfWindow] _, _ in touchesOfWindow.count() }
    }

    @Test("it unlocks at the end of the track, when the finger is lifted")
    func unlock() {
        let finger = stage.finger(at: 150, 150)
        finger.moves(to: 700, 300, over: 0.3)
        #expect(slide.thumb.frame.minX == 300 && unlocks.value == 0)
        finger.lifts()
        #expect(unlocks.value == 1 && slide.thumb.frame.minX == 0 && touchesOfWindow.value == 0)
    }

    @Test("it does not unlock before the end, nor if the touch is cancelled there")
    func back() {
        let finger = stage.finger(at: 150, 150)
        finger.moves(to: 400, 150, over: 0.3)
        finger.lifts()
        #expect(slide.thumb.frame.minX == 0)
        finger.lands(at: 150, 150)
        finger.moves(to: 700, 150, over: 0.3)
        finger.becomesPalm()
        #expect(slide.thumb.frame.minX == 0 && unlocks.value == 0)
    }

    @Test("a touch beside the thumb goes up the responder chain")
    func beside() {
        let finger = stage.finger(at: 400, 150)
        finger.moves(to: 480, 150)
        finger.lifts()
        #expect(touchesOfWindow.value == 1 && unlocks.value == 0)
    }

    @Test("a second finger neither moves the thumb nor unlocks")
    func secondFinger() {
        let finger = stage.finger(at: 150, 150)
        finger.moves(to: 250, 150)
        let second = stage.finger(at: 300, 150)
        second.moves(to: 480, 150)
        second.lifts()
        #expect(slide.thumb.frame.minX == 100 && unlocks.value == 0)
    }
}
