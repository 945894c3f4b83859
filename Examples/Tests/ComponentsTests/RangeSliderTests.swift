import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A range slider") struct RangeSliderTests {
    let stage = Stage()
    let page: ScrollView
    let slider = RangeSlider(frame: CGRect(x: 100, y: 400, width: 800, height: 50))
    let events = Log<UIControl.Event>()

    init() {
        page = ScrollView(frame: stage.window.bounds)
        page.contentSize = CGSize(width: 1024, height: 3000)
        page.addSubview(slider)
        stage.window.addSubview(page)
        for event in [UIControl.Event.touchDown, .touchCancel, .touchUpOutside, .editingDidEnd] {
            slider.addHandler(for: event) { [events] _, _ in events.append(event) }
        }
    }

    @Test("the nearer thumb follows the finger, without a jump, up to the other thumb")
    func range() {
        let finger = stage.finger(at: 120, 425)
        finger.moves(to: 520, 425, over: 0.2)
        #expect(slider.lowerValue == 0.5)
        finger.moves(to: 1000, 700, over: 0.2)
        #expect(slider.lowerValue == 0.9 && slider.upperValue == 1)
        finger.lifts()
        #expect(events.entries == [.touchDown, .editingDidEnd, .touchUpOutside] && page.contentOffset.y == 0)
    }

    @Test("two fingers do not move both thumbs")
    func secondFinger() {
        let finger = stage.finger(at: 100, 425)
        let second = stage.finger(at: 890, 425)
        second.moves(to: 600, 425)
        finger.moves(to: 180, 425)
        #expect(slider.lowerValue == 0.1)
        #expect(slider.upperValue == 1)
    }

    @Test("a touch far from both thumbs is refused")
    func refused() {
        let finger = stage.finger(at: 500, 425)
        finger.moves(to: 300, 425)
        #expect(!slider.isTracking && slider.lowerValue == 0 && events.entries.isEmpty)
    }

    @Test("a finger that goes down first scrolls the page, which cancels the slider's touch")
    func losesToThePage() {
        let finger = stage.finger(at: 100, 425)
        finger.moves(to: 100, 325, over: 0.1)
        finger.moves(to: 500, 325, over: 0.1)
        finger.lifts()
        #expect(slider.lowerValue == 0 && page.contentOffset.y.rounded() == 100)
        #expect(events.entries == [.touchDown, .editingDidEnd, .touchCancel])
    }
}
