import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A context menu") struct ContextMenuTests {
    let stage = Stage()
    let page: ScrollView
    let button = UIButton(frame: CGRect(x: 200, y: 200, width: 200, height: 100))
    let menu: ContextMenu
    let choices = Log<Int>()
    let presses = Counter()

    init() {
        page = ScrollView(frame: stage.window.bounds)
        page.contentSize = CGSize(width: 1024, height: 3000)
        page.addSubview(button)
        stage.window.addSubview(page)
        menu = ContextMenu(items: 3, for: button, onChoice: choices.append)
        button.addHandler(for: .primaryActionTriggered) { [presses] _, _ in presses.count() }
    }

    /// A finger that holds the button until the menu is open, with its items at 270, 314 and 358.
    private func holdingFinger() -> Finger {
        let finger = stage.finger(at: 300, 250)
        stage.advanceTime(by: 0.6)
        return finger
    }

    @Test("the finger that opened the menu slides to an item and is lifted there")
    func slide() {
        let finger = holdingFinger()
        #expect(menu.superview === stage.window && !button.isTracking)
        finger.moves(to: 320, 330, over: 0.1)
        #expect(menu.highlightedItem == 1)
        finger.moves(to: 320, 370, over: 0.1)
        #expect(menu.highlightedItem == 2)
        finger.lifts()
        #expect(choices.entries == [2] && menu.superview == nil && presses.value == 0)
        #expect(page.contentOffset.y == 0)
    }

    @Test("lifted in place it stays open: an item is tapped, a tap beside it closes")
    func tap() {
        holdingFinger().lifts()
        stage.taps(at: 350, 290)
        #expect(choices.entries == [0] && menu.superview == nil)
        holdingFinger().lifts()
        stage.taps(at: 250, 250)
        #expect(choices.entries == [0] && menu.superview == nil && presses.value == 0)
    }

    @Test("lifted beside the items, and cancelled, it closes without a choice")
    func cancelled() {
        let finger = holdingFinger()
        finger.moves(to: 800, 800, over: 0.2)
        #expect(menu.highlightedItem == nil)
        finger.lifts()
        #expect(menu.superview == nil)
        let palm = holdingFinger()
        palm.moves(to: 320, 330, over: 0.1)
        palm.becomesPalm()
        #expect(menu.superview == nil && choices.entries.isEmpty)
    }

    @Test("a tap presses the button; a finger that moves before scrolls, and opens nothing")
    func losesToThePage() {
        stage.taps(at: 300, 250)
        #expect(presses.value == 1)
        let finger = stage.finger(at: 300, 250)
        finger.moves(to: 300, 200, over: 0.1)
        stage.advanceTime(by: 1)
        #expect(menu.superview == nil && page.contentOffset.y.rounded() == 50)
    }
}
