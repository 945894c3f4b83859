import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A split view") struct SplitViewTests {
    let stage = Stage()
    let split: SplitView
    let touchesOfPanes = Counter()

    init() {
        split = SplitView(frame: CGRect(x: 0, y: 0, width: 1000, height: 1000))
        for pane in [split.left, split.right] {
            pane.addHandler(for: .began) { [touchesOfPanes] _, _ in touchesOfPanes.count() }
        }
        stage.window.addSubview(split)
    }

    @Test("a finger beside the divider moves it, within limits")
    func drag() {
        let finger = stage.finger(at: 520, 500)
        finger.moves(to: 620, 500, over: 0.1)
        #expect(abs(split.ratio - 0.6) < 1e-6 && touchesOfPanes.value == 0)
        finger.moves(to: 1000, 500, over: 0.1)
        #expect(split.ratio == 0.8)
        finger.lifts()
        split.layoutIfNeeded()
        #expect(split.left.frame.width == 798 && split.right.frame.minX == 802)
    }

    @Test("a finger farther away touches its pane, and a hidden split view gets nothing")
    func pane() {
        let finger = stage.finger(at: 530, 500)
        finger.moves(to: 700, 500, over: 0.1)
        finger.lifts()
        #expect(split.ratio == 0.5 && touchesOfPanes.value == 1)
        split.isHidden = true
        stage.finger(at: 500, 500).moves(to: 700, 500, over: 0.1)
        #expect(split.ratio == 0.5)
    }

    @Test("a palm puts the divider back; a double tap centers it")
    func cancelled() {
        let finger = stage.finger(at: 500, 500)
        finger.moves(to: 600, 500, over: 0.1)
        finger.lifts()
        finger.lands(at: 600, 500)
        finger.moves(to: 300, 500, over: 0.1)
        finger.becomesPalm()
        #expect(abs(split.ratio - 0.6) < 1e-6)
        stage.advanceTime(by: 1)
        for _ in 0..<2 { stage.taps(at: 610, 400) }
        #expect(split.ratio == 0.5)
    }

    @Test("a mouse shows the grip near the divider, until it leaves or its button is pressed")
    func hover() {
        stage.mouse.moves(to: 300, 500)
        #expect(!split.isGripVisible)
        stage.mouse.moves(to: 515, 500)
        #expect(split.isGripVisible)
        stage.mouse.moves(to: 300, 500)
        #expect(!split.isGripVisible)
        stage.finger(at: 500, 500).moves(to: 600, 500)
        #expect(!split.isGripVisible)
    }
}
