@testable import ControlProtocol
import Foundation
import Testing

@testable import Layout
@testable import Service

/// Publications on their way into a slot, pass by pass: the test is the worker, and decides how much a slice builds.
@Suite("Publications while touches are delivered") final class PublicationTests {
    private static let layout = """
        screen: {size: [1000, 1000]}
        views:
          - {id: behind, frame: [0, 0, 1000, 1000]}
          - {slot: page, frame: [0, 0, 1000, 500]}
          - {slot: other, frame: [0, 500, 1000, 500]}
        """
    private let stage: SlotStage

    init() throws {
        stage = try SlotStage(Self.layout)
        stage.host.slots.beginSlice = {
            var left = 4
            return {
                left -= 1
                return left > 0
            }
        }
    }

    private func list(_ name: String, _ count: Int) -> String {
        "[\((0..<count).map { #"{"id": "\#(name)\#($0)", "frame": [0, 0, 100, 100]}"# }.joined(separator: ","))]"
    }

    private func write(_ id: Int, _ views: String, slot: String = "page", to client: RawClient) {
        client.write(
            line: #"{"request": "views", "slot": "\#(slot)", "publisher": "p\#(id)", "views": \#(views), "id": \#(id)}"#
        )
    }

    private func settleLoop() { while stage.pass() {} }

    private func briefAnswers(_ client: RawClient) -> [String] {
        client.lines().map(ProtocolLine.init).filter { $0["event"] == nil }.map { line in
            let code = line.members["error"].flatMap { $0["code"]?.string }
            return "\(line["id"] ?? "-") \(code ?? "ok")"
        }
    }

    @Test("the end of a touch on a slot that another client takes is an event of the former views' publisher only")
    func takenUnderFinger() throws {
        let pad = """
            [{"id": "pad", "frame": [0, 0, 500, 500], "private": true, "views": [
            {"id": "key-5", "frame": [0, 0, 500, 500], "control": "button"}]}]
            """.replacing("\n", with: "")
        let first = stage.connect(), second = stage.connect()
        for client in [first, second] {
            _ = stage.send(#"{"request":"subscribe","to":["touches","controls"],"own":true}"#, to: client)
        }
        write(1, pad, to: first)
        stage.settle()
        stage.finger(.began, 50, 50)
        write(2, list("new", 3), to: second)
        stage.settle()
        let events = ["touch began pad", "control held key-5", "control released key-5", "touch cancelled pad"]
        #expect(Set(first.briefs().filter { $0.hasPrefix("touch") || $0.hasPrefix("control") }) == Set(events))
        #expect(second.lines().allSatisfy { !$0.contains("key-5") && !$0.contains("cancelled") })
    }

    @Test("until views are published again after a reload, a touch in their slot reaches nothing and has no position")
    func awaited() throws {
        let client = stage.connect(), watcher = stage.connect()
        write(1, #"[{"id": "pad", "frame": [0, 0, 500, 500], "private": true}]"#, to: client)
        stage.settle()
        _ = stage.send(#"{"request":"subscribe","to":["touches"]}"#, to: watcher)
        try stage.reload(Self.layout)
        stage.finger(.began, 50, 50, settles: false)
        stage.finger(.ended, 50, 50, settles: false)
        let screen = try #require(stage.layout.scene?.windows[0].screen)
        #expect(stage.layout.scene?.isPrivate(CGPoint(x: 50, y: 50), on: screen) == true)
        #expect(stage.layout.scene?.isPrivate(CGPoint(x: 50, y: 600), on: screen) == false)
        stage.settle()
        let touches = watcher.lines().filter { $0.contains(#""event": "touch""#) }
        #expect(touches.count == 2 && touches.allSatisfy { !$0.contains("behind") && !$0.contains(#""x""#) })
        stage.finger(.began, 50, 50)
        #expect(watcher.briefs() == ["touch began pad"])
        // A slot whose publisher has gone is like any other.
        try stage.reload(Self.layout)
        shutdown(client.descriptor, Int32(SHUT_RDWR))
        stage.settle()
        _ = watcher.lines()
        stage.finger(.began, 60, 60, id: 2)
        #expect(watcher.lines().contains { $0.contains("behind") && $0.contains(#""x": 60"#) })
    }

    @Test(
        "a touch that began while views were awaited has no position until it ends, also if they never come",
        arguments: ["refused", "gone"])
    func awaitedForNothing(end: String) throws {
        func layout(_ handlers: String) -> String {
            """
            screen: {size: [1000, 1000]}
            views: [{id: behind, frame: [0, 0, 1000, 1000]}, {slot: {name: page, handlers: [\(handlers)]}, frame: [0, 0, 1000, 500]}]
            handlers: {buy: {log: buy}}
            """
        }
        let stage = try SlotStage(layout("buy")), client = stage.connect(), watcher = stage.connect()
        write(1, #"[{"id": "pad", "frame": [0, 0, 500, 500], "private": true, "on": {"began": "buy"}}]"#, to: client)
        stage.settle()
        #expect(stage.layout.scene?.slot(named: "page")?.publisher == "p1")
        _ = stage.send(#"{"request":"subscribe","to":["touches","inspection"],"moves":true}"#, to: watcher)
        try stage.reload(layout(end == "refused" ? "" : "buy"))
        stage.finger(.began, 50, 50, settles: false)
        if end == "gone" { shutdown(client.descriptor, Int32(SHUT_RDWR)) }
        stage.settle()
        #expect(stage.layout.scene?.slot(named: "page")?.publisher == nil)
        stage.finger(.moved, 60, 50)
        stage.finger(.ended, 60, 50)
        let lines = watcher.lines()
        #expect(lines.count { $0.contains(#""event": "touch""#) } == 3)
        #expect(lines.allSatisfy { !$0.contains(#""x""#) && !$0.contains("behind") })
    }

    @Test("touches are delivered between slices, to the former views until the slot gets all new ones in one step")
    func slices() throws {
        let client = stage.connect(), watcher = stage.connect()
        write(1, list("old", 3), to: client)
        stage.settle()
        _ = stage.send(#"{"request":"subscribe","to":["touches"]}"#, to: watcher)
        stage.finger(.began, 50, 50, id: 9)
        write(2, list("new", 40), to: client)
        settleLoop()
        #expect(stage.worker.performNext())
        #expect(watcher.briefs() == ["touch began old2"])
        _ = client.lines()
        var slices = 0
        while stage.layout.scene?.slot(named: "page")?.publisher == "p1" {
            stage.finger(.began, 60, 60, settles: false)
            stage.finger(.ended, 60, 60, settles: false)
            stage.pass()
            slices += 1
        }
        let slot = try #require(stage.layout.scene?.slot(named: "page"))
        #expect(slot.viewCount == 40 && slot.content.subviews.count == 40)
        stage.settle()
        let briefs = watcher.briefs()
        #expect(slices > 10 && briefs.count { $0 == "touch began old2" } == slices)
        #expect(briefs.count { $0 == "touch cancelled old2" } == 1)
        stage.finger(.began, 60, 60)
        #expect(watcher.briefs() == ["touch began new39"])
        #expect(briefAnswers(client) == ["2 ok"])
        #expect(stage.layout.scene?.discarded.isEmpty == true)
    }

    @Test("a newer list replaces one that waits, and the client's other requests wait for the answer")
    func latest() throws {
        let first = stage.connect(), second = stage.connect()
        write(1, list("a", 2), to: first)
        settleLoop()
        for id in 2...4 { write(id, list("b", id), slot: "other", to: second) }
        second.write(line: #"{"request": "hello", "id": 5}"#)
        write(6, list("b", 6), slot: "other", to: second)
        settleLoop()
        #expect(briefAnswers(second) == ["2 replaced", "3 replaced"])
        stage.settle()
        #expect(briefAnswers(second) == ["4 ok", "5 ok", "6 ok"])
        #expect(briefAnswers(first) == ["1 ok"])
        #expect(stage.layout.scene?.slot(named: "other")?.viewCount == 6)
    }

    @Test("a list that is being read is not replaced, so that a fast client's views act")
    func progress() throws {
        let client = stage.connect()
        for id in 1...3 { write(id, list("a", id), to: client) }
        stage.settle()
        #expect(briefAnswers(client) == ["1 ok", "2 ok", "3 ok"])
    }

    @Test("the same list again is answered and changes nothing, unless views were moved")
    func same() throws {
        let client = stage.connect(), watcher = stage.connect()
        _ = stage.send(#"{"request":"subscribe","to":["inspection"]}"#, to: watcher)
        write(1, list("a", 2), to: client)
        stage.settle()
        func slots() -> [String] { watcher.briefs().filter { $0.hasPrefix("slot") } }
        #expect(slots() == ["slot published page"])
        write(2, list("a", 2), to: client)
        stage.settle()
        // The inspector shows the publisher's new name.
        #expect(slots() == ["slot published page"] && briefAnswers(client) == ["1 ok", "2 ok"])
        #expect(stage.layout.scene?.slot(named: "page")?.publisher == "p2")
        client.write(line: #"{"request": "move", "frames": {"a0": [200, 0, 10, 10]}, "id": 3}"#)
        write(4, list("a", 2), to: client)
        stage.settle()
        #expect(stage.layout.scene?.view(withIdentifier: "a0")?.frame.minX == 0)
        #expect(slots() == ["slot moved page", "slot published page"])
    }

    @Test("a long request is read on the worker, and the client's next request waits for it")
    func longLine() throws {
        let client = stage.connect()
        client.write(line: #"{"request": "hello", "id": "\#(String(repeating: "x", count: ControlServer.shortLine))"}"#)
        client.write(line: #"{"request": "hello", "id": 2}"#)
        settleLoop()
        #expect(client.lines() == [])
        stage.settle()
        #expect(client.lines().map { $0.contains("\"id\": 2") } == [false, true])
    }

    @Test("a client that leaves takes its publication with it, in each stage")
    func leaves() throws {
        for passes in 0..<16 {
            do {
                let client = stage.connect()
                write(1, list("a", 20), to: client)
                for _ in 0..<passes where !stage.pass() { _ = stage.worker.performNext() }
            }
            stage.settle()
            #expect(stage.layout.scene?.slot(named: "page")?.content.subviews.isEmpty == true)
            #expect(stage.host.slots.isIdle)
            #expect(stage.host.slots.isEmpty && stage.layout.scene?.discarded.isEmpty == true)
        }
    }

    @Test("commands of a broker and of handlers after a reload find the views that are about to be published again")
    func commandsAfterReload() throws {
        let client = stage.connect()
        write(1, list("a", 20), to: client)
        stage.settle()
        try stage.reload(Self.layout)
        try stage.host.perform(.named(.hide, "a7"))
        #expect(throws: ControlError.self) { try stage.host.perform(.named(.hide, "b7")) }
        stage.settle()
        #expect(stage.layout.scene?.view(withIdentifier: "a7")?.isHidden == true)
        // It lasts for another reload, and ends with the publisher.
        try stage.reload(Self.layout)
        stage.settle()
        #expect(try stage.layout.scene?.isShown("a7") == false)
        try stage.reload(Self.layout)
        shutdown(client.descriptor, Int32(SHUT_RDWR))
        stage.settle()
        #expect(throws: ControlError.self) { try stage.host.perform(.named(.show, "a7")) }
    }

    @Test("after a reload requests wait until the views are published again")
    func reload() throws {
        let client = stage.connect()
        write(1, list("a", 20), to: client)
        stage.settle()
        try stage.reload(Self.layout)
        client.write(line: #"{"request": "hide", "view": "a7", "id": 2}"#)
        write(3, list("b", 20), to: client)
        settleLoop()
        #expect(briefAnswers(client) == ["1 ok"])
        stage.settle()
        #expect(briefAnswers(client) == ["2 ok", "3 ok"])
        #expect(stage.layout.scene?.slot(named: "page")?.contains("b19") == true)
    }
}
