import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A list to reorder") struct ReorderListTests {
    let stage = Stage()
    let scroll: ScrollView
    let list: ReorderList
    let rows = (0..<20).map { number in
        let row = UIView(frame: .zero)
        row.tag = number
        return row
    }
    let moves = Counter()

    init() {
        scroll = ScrollView(frame: stage.window.bounds)
        list = ReorderList(rows: rows, rowHeight: 100, width: 1024)
        scroll.contentSize = list.bounds.size
        scroll.addSubview(list)
        list.onMove = { [moves] _, _ in moves.count() }
        stage.window.addSubview(scroll)
    }

    private var order: [Int] { list.rows.prefix(4).map(\.tag) }

    @Test("a press lifts a row, which moves with the finger; the others make room, and nothing scrolls")
    func move() {
        let finger = stage.finger(at: 500, 50)
        stage.advanceTime(by: 0.6)
        finger.moves(to: 500, 230, over: 0.2)
        list.layoutIfNeeded()
        #expect(order == [1, 2, 0, 3])
        #expect(rows[0].center.y.rounded() == 230 && rows[1].frame.minY == 0 && rows[2].frame.minY == 100)
        #expect(scroll.contentOffset.y == 0 && moves.value == 0)
        finger.lifts()
        list.layoutIfNeeded()
        #expect(rows[0].frame.minY == 200 && moves.value == 1)
    }

    @Test("a finger that moves at once scrolls, and lifts nothing however long it stays")
    func scrolls() {
        let finger = stage.finger(at: 500, 550)
        finger.moves(to: 500, 450, over: 0.1)
        stage.advanceTime(by: 1)
        finger.moves(to: 500, 350, over: 0.1)
        #expect(scroll.contentOffset.y.rounded() == 200)
        finger.becomesPalm()
        #expect(order == [0, 1, 2, 3] && moves.value == 0)
    }

    @Test("a cancelled press puts the row back")
    func cancelled() {
        let finger = stage.finger(at: 500, 50)
        stage.advanceTime(by: 0.6)
        finger.moves(to: 500, 350, over: 0.2)
        #expect(order == [1, 2, 3, 0])
        stage.unplug(.touchscreen)
        list.layoutIfNeeded()
        #expect(order == [0, 1, 2, 3] && rows[0].frame.minY == 0 && moves.value == 0)
    }

    @Test("a second finger does not take the row")
    func secondFinger() {
        let finger = stage.finger(at: 500, 50)
        stage.advanceTime(by: 0.6)
        let second = stage.finger(at: 500, 350)
        second.lifts()
        finger.moves(to: 500, 150)
        #expect(order == [1, 0, 2, 3])
        finger.lifts()
        #expect(moves.value == 1)
    }
}
