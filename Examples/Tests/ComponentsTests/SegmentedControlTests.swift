import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A segmented control") struct SegmentedControlTests {
    let stage = Stage()
    let control = SegmentedControl(frame: CGRect(x: 100, y: 100, width: 300, height: 50), numberOfSegments: 3)
    let changes = Counter()

    init() {
        control.addHandler(for: .valueChanged) { [changes] _, _ in changes.count() }
        stage.window.addSubview(control)
    }

    @Test("the segment under the finger is highlighted, and selected when it is lifted there")
    func select() {
        let finger = stage.finger(at: 250, 125)
        #expect(control.highlightedSegmentIndex == 1)
        finger.moves(to: 350, 125)
        #expect(control.highlightedSegmentIndex == 2 && control.selectedSegmentIndex == 0)
        finger.lifts()
        #expect(control.selectedSegmentIndex == 2 && changes.value == 1 && control.highlightedSegmentIndex == nil)
        stage.taps(at: 350, 125)
        #expect(changes.value == 1)
    }

    @Test("nothing is selected outside, though still near, nor by a palm or a second finger")
    func cancelled() {
        let finger = stage.finger(at: 250, 125)
        finger.moves(to: 250, 170)
        #expect(control.highlightedSegmentIndex == nil && control.isTouchInside)
        finger.lifts()
        let palm = stage.finger(at: 250, 125)
        stage.taps(at: 350, 125)
        palm.becomesPalm()
        #expect(control.selectedSegmentIndex == 0 && changes.value == 0 && control.highlightedSegmentIndex == nil)
    }

    @Test("after a touch the arrow keys select; other keys go up the responder chain")
    func keys() {
        let others = Log<UInt16>()
        let window = KeyWindow(frame: stage.window.bounds, application: stage.application, screen: stage.screen)
        window.onKey = others.append
        window.addSubview(control)
        window.makeKeyAndVisible()
        // KEY_RIGHT, KEY_LEFT, KEY_UP.
        stage.keyboard.presses(106)
        stage.keyboard.releases(106)
        #expect(control.selectedSegmentIndex == 0 && others.entries == [106])
        stage.taps(at: 150, 125)
        for code: UInt16 in [106, 106, 106, 105, 103] {
            stage.keyboard.presses(code)
            stage.keyboard.releases(code)
        }
        #expect(control.selectedSegmentIndex == 1 && changes.value == 3 && others.entries == [106, 103])
    }
}
