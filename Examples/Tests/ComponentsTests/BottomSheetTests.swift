import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A bottom sheet") struct BottomSheetTests {
    let stage = Stage()
    let sheet = BottomSheet(width: 1024, expandedTop: 200, collapsedTop: 700, bottom: 1024)

    init() {
        stage.window.addSubview(sheet)
        sheet.list.contentSize = CGSize(width: 1024, height: 3000)
    }

    @Test("one movement pulls the sheet up, scrolls its list, and goes back the same way")
    func handsOver() {
        let finger = stage.finger(at: 500, 900)
        finger.moves(to: 500, 300, over: 0.6)
        #expect(sheet.frame.minY == 200)
        #expect(sheet.list.contentOffset.y.rounded() == 100)

        finger.moves(to: 500, 460, over: 0.16)
        #expect(sheet.list.contentOffset.y == 0)
        #expect(sheet.frame.minY.rounded() == 260)

        stage.advanceTime(by: 0.1)
        finger.lifts()
        #expect(sheet.frame.minY == 200 && !sheet.list.isDecelerating)
    }

    @Test("a flick at the header opens it, although the list is not at its top")
    func header() {
        sheet.layoutIfNeeded()
        sheet.list.contentOffset.y = 50
        let finger = stage.finger(at: 500, 720)
        finger.moves(to: 500, 570, over: 0.1)
        finger.lifts()
        #expect(sheet.frame.minY == 200)
        #expect(sheet.list.contentOffset.y == 50)
    }

    @Test("a finger that turns out to be a palm lets the sheet fall back, and the list does not glide")
    func cancelled() {
        let finger = stage.finger(at: 500, 900)
        finger.moves(to: 500, 700, over: 0.1)
        #expect(sheet.frame.minY.rounded() == 500)
        finger.becomesPalm()
        #expect(sheet.frame.minY == 700)
        #expect(!sheet.list.isDecelerating && sheet.list.contentOffset.y == 0)
    }

    @Test("a second finger makes no jump, and half of the movement counts")
    func secondFinger() {
        let first = stage.finger(at: 500, 720)
        first.moves(to: 500, 620, over: 0.1)
        let second = stage.finger(at: 300, 1000)
        #expect(sheet.frame.minY.rounded() == 600)
        second.moves(to: 300, 900, over: 0.1)
        #expect(sheet.frame.minY.rounded() == 550)
        first.lifts()
        #expect(sheet.frame.minY.rounded() == 550)
    }
}
