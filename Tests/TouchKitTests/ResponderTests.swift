import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("A3 responders")
struct ResponderTests {
    /// A delegate that is a responder.
    final class Delegate: Responder, ApplicationDelegate {}

    let stage = Stage()
    let log = CallLog()

    private func view(_ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> RecordingView {
        RecordingView(name, CGRect(x: x, y: y, width: width, height: height), log: log)
    }

    @Test("A3.2 began, moved repeatedly, ended; another touch is cancelled by its device")
    func phases() {
        stage.window.addSubview(view("view", 0, 0, 100, 100))
        let (first, second) = (stage.finger(), stage.finger())

        first.lands(at: 1, 1)
        first.moves(to: 2, 2)
        first.moves(to: 3, 3)
        first.lifts(at: 3, 3)
        second.lands(at: 1, 1)
        second.becomesPalm()

        #expect(
            log.lines == [
                "view.began 1", "view.moved 1", "view.moved 1", "view.ended 1", "view.began 1", "view.cancelled 1",
            ])
    }

    @Test("A3.2 cancelAllTouches cancels each touch once and ignores its later changes")
    func cancelAll() {
        stage.window.addSubview(view("left", 0, 0, 100, 100))
        stage.window.addSubview(view("right", 100, 0, 100, 100))
        let (first, second) = (stage.finger(at: 1, 1), stage.finger(at: 101, 1))
        log.clear()

        stage.application.cancelAllTouches()
        stage.application.cancelAllTouches()
        first.moves(to: 2, 2)
        first.lifts(at: 2, 2)
        second.lifts(at: 2, 2)

        #expect(log.lines == ["left.cancelled 1", "right.cancelled 1"])
    }

    @Test("A3.2 the removal of a device cancels its touches in queue order")
    func deviceLost() {
        stage.window.addSubview(view("view", 0, 0, 100, 100))
        stage.finger(at: 1, 1)
        log.clear()

        stage.application.enqueueRemoval(of: .touchscreen, at: stage.tick())
        #expect(log.lines.isEmpty)
        stage.application.drainEvents()

        #expect(log.lines == ["view.cancelled 1"])
    }

    @Test("A3.1 A3.3 the chain goes from view to controller, window, application, delegate")
    func chain() {
        let delegate = Delegate()
        stage.application.delegate = delegate
        let (root, child) = (ViewController(), ViewController())
        stage.window.rootViewController = root
        root.view.addSubview(child.view)
        let leaf = View(frame: .zero)
        child.view.addSubview(leaf)

        var chain: [Responder] = []
        var current: Responder? = leaf
        while let responder = current {
            chain.append(responder)
            current = responder.next
        }

        let expected: [Responder] = [
            leaf, child.view, child, root.view, root, stage.window, stage.application, delegate,
        ]
        #expect(chain.map(ObjectIdentifier.init) == expected.map(ObjectIdentifier.init))
    }

    @Test("A3.4 the default passes an event on, and an override does so with super")
    func passingOn() {
        let (outer, middle, inner) = (view("outer", 0, 0, 100, 100), View(frame: .zero), view("inner", 0, 0, 50, 50))
        middle.frame = outer.bounds
        outer.addSubview(middle)
        middle.addSubview(inner)
        stage.window.addSubview(outer)

        stage.finger(at: 1, 1)
        inner.passesOn = false
        stage.finger(at: 60, 60)
        stage.application.cancelAllTouches()

        #expect(
            log.lines == [
                "inner.began 1", "outer.began 1", "outer.began 1", "inner.cancelled 1", "outer.cancelled 1",
            ])
    }

    @Test("A3.4 a responder's closures run in order and can be removed")
    func closures() {
        let (outer, inner) = (view("outer", 0, 0, 100, 100), View(frame: CGRect(x: 0, y: 0, width: 100, height: 100)))
        outer.addSubview(inner)
        stage.window.addSubview(outer)
        inner.addHandler(for: .began, name: "first") { [log] _, _ in log.add("first") }
        let second = inner.addHandler(for: .began, name: "second") { [log] _, _ in log.add("second") }
        var names: [[String]] = []
        stage.application.onDelivery { names.append($0.handlerNames) }
        let finger = stage.finger(at: 1, 1)
        finger.moves(to: 2, 2)
        finger.lifts(at: 2, 2)
        inner.removeHandler(second)
        stage.finger(at: 1, 1)

        #expect(log.lines == ["first", "second", "outer.moved 1", "outer.ended 1", "first"])
        #expect(names == [["first", "second"], [], [], ["first"]])
    }

    @Test("A3.5 delivery goes from window to view, the response from view to application")
    func downAndUp() {
        let (root, leaf) = (view("root", 0, 0, 100, 100), view("leaf", 0, 0, 50, 50))
        root.logsHitTests = true
        leaf.logsHitTests = true
        root.addSubview(leaf)
        stage.window.addSubview(root)
        stage.application.addHandler(for: .began) { [log] _, _ in log.add("application") }

        stage.finger(at: 1, 1)

        #expect(
            log.lines == [
                "root.hitTest", "root.pointInside", "leaf.hitTest", "leaf.pointInside", "leaf.began 1", "root.began 1",
                "application",
            ])
    }

    @Test("A3.6 a touch is hit-tested once and keeps its view until it ends")
    func keepsItsView() {
        let (left, right) = (view("left", 0, 0, 100, 100), view("right", 100, 0, 100, 100))
        right.logsHitTests = true
        stage.window.addSubview(left)
        stage.window.addSubview(right)
        let finger = stage.finger(at: 1, 1)
        log.clear()
        finger.moves(to: 150, 1)
        left.isHidden = true
        finger.lifts(at: 900, 900)

        #expect(log.lines == ["left.moved 1", "left.ended 1"])
    }
}
