import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("A3 responders")
struct ResponderTests: LoggingSuite {
    /// A delegate that is a responder.
    final class Delegate: Responder, ApplicationDelegate {}

    let stage = Stage()
    let log = CallLog()

    @Test("A3.2 began, moved repeatedly, ended; another touch is cancelled by its device")
    func phases() {
        show("view")
        stage.play([.lands(1, 1), .moves(2, 2), .moves(3, 3), .lifts()])
        stage.finger(at: 1, 1).becomesPalm()

        #expect(
            log.lines == [
                "view.began 1", "view.moved 1", "view.moved 1", "view.ended 1", "view.began 1", "view.cancelled 1",
            ])
    }

    @Test("A3.2 cancelAllTouches cancels each touch once and ignores its later changes")
    func cancelAll() {
        show("left", 0, 0, 100, 100)
        show("right", 100, 0, 100, 100)
        stage.play([
            .lands(1, 1), .lands(101, 1, finger: 2), .cancelsAll, .cancelsAll, .moves(2, 2), .lifts(),
            .lifts(finger: 2),
        ])

        #expect(log.lines == ["left.began 1", "right.began 1", "left.cancelled 1", "right.cancelled 1"])
    }

    @Test("A3.2 the removal of a device cancels its touches in queue order")
    func deviceLost() {
        show("view")
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
        let (outer, middle) = (show("outer"), View(frame: stage.screen.bounds))
        outer.addSubview(middle)
        let inner = show("inner", 0, 0, 50, 50, in: middle)

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
        let inner = View(frame: stage.screen.bounds)
        show("outer").addSubview(inner)
        inner.addHandler(for: .began, name: "first") { [log] _, _ in log.add("first") }
        let second = inner.addHandler(for: .began, name: "second") { [log] _, _ in log.add("second") }
        var names: [[String]] = []
        stage.application.onDelivery { names.append($0.handlerNames) }
        stage.play([.lands(1, 1), .moves(2, 2), .lifts()])
        inner.removeHandler(second)
        stage.finger(at: 1, 1)

        #expect(log.lines == ["first", "second", "outer.moved 1", "outer.ended 1", "first"])
        #expect(names == [["first", "second"], [], [], ["first"]])
    }

    @Test("A3.5 delivery goes from window to view, the response from view to application")
    func downAndUp() {
        let root = show("root")
        for view in [root, show("leaf", 0, 0, 50, 50, in: root)] { view.logsHitTests = true }
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
        let left = show("left", 0, 0, 100, 100)
        show("right", 100, 0, 100, 100).logsHitTests = true
        let finger = stage.finger(at: 1, 1)
        log.clear()
        finger.moves(to: 150, 1)
        left.isHidden = true
        finger.lifts(at: 900, 900)

        #expect(log.lines == ["left.moved 1", "left.ended 1"])
    }
}
