import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A row to swipe away") struct SwipeToDeleteCellTests {
    let stage = Stage()
    let list: ScrollView
    let cell = SwipeToDeleteCell(frame: CGRect(x: 0, y: 100, width: 1024, height: 60))
    let deletions = Counter()

    init() {
        list = ScrollView(frame: stage.window.bounds)
        list.contentSize = CGSize(width: 1024, height: 3000)
        list.addSubview(cell)
        cell.onDelete = deletions.count
        stage.window.addSubview(list)
    }

    private func swipe(by x: CGFloat, over seconds: TimeInterval = 0.5) {
        let finger = stage.finger(at: 900, 130)
        finger.moves(to: 900 + x, 130, over: seconds)
        stage.advanceTime(by: 0.1)
        finger.lifts()
    }

    @Test("a short swipe shows the button, which deletes when it is tapped")
    func button() {
        swipe(by: -100)
        #expect(cell.isOpen && cell.content.frame.minX == -80 && deletions.value == 0)
        stage.taps(at: 1000, 130)
        #expect(deletions.value == 1 && cell.isOpen)
    }

    @Test("a tap beside the button closes the row")
    func close() {
        swipe(by: -100)
        stage.taps(at: 500, 130)
        #expect(!cell.isOpen && cell.content.frame.minX == 0 && deletions.value == 0)
    }

    @Test("a long swipe deletes at once, and a fast short one opens")
    func longSwipe() {
        let finger = stage.finger(at: 900, 130)
        finger.moves(to: 870, 130, over: 0.03)
        finger.lifts()
        #expect(cell.isOpen && deletions.value == 0)
        swipe(by: -600)
        #expect(deletions.value == 1)
    }

    @Test("the list scrolls if the finger goes up, and stays if it goes sideways")
    func losesToTheList() {
        let finger = stage.finger(at: 900, 130)
        finger.moves(to: 880, 30, over: 0.2)
        finger.moves(to: 700, 30, over: 0.2)
        #expect(list.contentOffset.y.rounded() == 100 && cell.content.frame.minX == 0)
        stage.advanceTime(by: 0.1)
        finger.lifts()

        list.contentOffset.y = 0
        let second = stage.finger(at: 900, 130)
        second.moves(to: 800, 120, over: 0.2)
        second.moves(to: 800, 20, over: 0.2)
        #expect(list.contentOffset.y == 0 && cell.content.frame.minX.rounded() == -100)
    }

    @Test("a cancelled swipe leaves the row as it was")
    func cancelled() {
        let finger = stage.finger(at: 900, 130)
        finger.moves(to: 300, 130, over: 0.2)
        finger.becomesPalm()
        #expect(!cell.isOpen && cell.content.frame.minX == 0 && deletions.value == 0)
    }
}
