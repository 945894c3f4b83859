import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A floating button") struct FloatingButtonTests {
    let stage = Stage()
    let button = FloatingButton(frame: CGRect(x: 0, y: 0, width: 68, height: 68))
    let events = Log<UIControl.Event>()

    init() {
        stage.window.addSubview(button)
        for event in [UIControl.Event.touchUpInside, .touchCancel] {
            button.addHandler(for: event) { [events] _, _ in events.append(event) }
        }
    }

    @Test("a tap presses it, and leaves it in its corner")
    func tap() {
        stage.taps(at: 974, 974)
        #expect(events.entries == [.touchUpInside] && button.center == CGPoint(x: 974, y: 974))
    }

    @Test("a drag moves it to the nearest corner, and presses nothing")
    func drag() {
        let finger = stage.finger(at: 980, 980)
        finger.moves(to: 380, 680, over: 1)
        #expect(button.center.x.rounded() == 374 && button.center.y.rounded() == 674)
        stage.advanceTime(by: 0.1)
        finger.lifts()
        #expect(events.entries == [.touchCancel] && button.center == CGPoint(x: 50, y: 974))
    }

    @Test("a flick throws it into a corner that it did not reach")
    func flick() {
        let finger = stage.finger(at: 974, 974)
        finger.moves(to: 774, 774, over: 0.05)
        finger.lifts()
        #expect(button.center == CGPoint(x: 50, y: 50))
    }

    @Test("a palm puts it back, and a second finger does not move it")
    func cancelled() {
        let finger = stage.finger(at: 974, 974)
        finger.moves(to: 374, 374, over: 0.5)
        let second = stage.finger(at: 380, 380)
        second.moves(to: 600, 600)
        second.lifts()
        #expect(button.center.x.rounded() == 374)
        finger.becomesPalm()
        #expect(button.center == CGPoint(x: 974, y: 974) && events.entries == [.touchCancel])
    }
}
