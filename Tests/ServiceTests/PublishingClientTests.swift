@testable import ControlProtocol
import Foundation
import Testing

@testable import Layout
@testable import Service

/// Views that clients publish through a real socket.
@Suite("Views published through the control socket") final class PublishingClientTests {
    private static let layout = """
        screen: {size: [1000, 1000]}
        views:
          - {id: behind, frame: [0, 0, 1000, 1000]}
          - {slot: {name: page, handlers: [buy]}, frame: [100, 100, 800, 800]}
          - {slot: second, frame: [900, 900, 100, 100]}
        handlers: {buy: {publish: bought}}
        """
    private let stage: SlotStage

    init() throws { stage = try SlotStage(Self.layout) }

    private func publish(_ views: String, slot: String = "page", _ client: RawClient) -> [String] {
        stage.send(
            #"{"request": "views", "slot": "\#(slot)", "publisher": "shop", "views": \#(views), "id": 1}"#, to: client)
    }

    private static let button =
        #"[{"id": "buy", "frame": [0, 0, 100, 100], "control": "button", "on": {"pressed": "buy"}}]"#

    @Test("a client publishes views and receives their touches, gestures and controls, in order")
    func publishAndTouch() throws {
        let client = stage.connect()
        _ = stage.send(
            #"{"request":"subscribe","to":["touches","gestures","controls","published"],"own":true}"#, to: client)
        #expect(
            publish(Self.button, client) == [
                #"{"id": 1, "result": {"slot": "page", "publisher": "shop", "views": 1, "x": 100, "y": 100, "width": 800, "height": 800}}"#
            ])
        stage.finger(.began, 150, 150)
        stage.finger(.ended, 150, 150)
        // A touch on a view of the layout is not the client's.
        stage.finger(.began, 50, 50)
        stage.finger(.ended, 50, 50)
        #expect(
            client.briefs() == [
                "control held buy", "touch began buy", "control released buy", "control pressed buy", "published",
                "touch ended buy",
            ])
    }

    @Test("a gesture is reported when it is recognized, at full precision, with or without handlers")
    func gestures() throws {
        let client = stage.connect()
        _ = stage.send(#"{"request":"subscribe","to":["touches","gestures"],"moves":false}"#, to: client)
        _ = publish(
            #"[{"id": "map", "frame": [0, 0, 800, 800], "multiple-touch": true, "gestures": ["pinch", "rotation"]}]"#,
            client)
        stage.finger(.began, 300, 300, id: 1)
        stage.finger(.began, 400, 300, id: 2)
        stage.finger(.moved, 433, 301, id: 2)
        let began = client.lines().map(ProtocolLine.init)
        #expect(began.map(\.brief).contains("gesture began map"))
        stage.finger(.moved, 437, 301, id: 2)
        let changed = try #require(client.lines().map(ProtocolLine.init).first { $0["trigger"] == "changed" })
        let scale = try #require(changed["scale"].flatMap(Double.init))
        #expect(scale > 1 && abs(scale * 100 - (scale * 100).rounded()) > 1e-6)
        #expect(changed["velocity"] != nil && changed["x"] != nil && changed["touches"] == "2")
        stage.finger(.ended, 437, 301, id: 2)
        stage.finger(.ended, 300, 300, id: 1)
        let ends = client.briefs()
        #expect(ends.filter { $0.hasPrefix("gesture") } == ["gesture ended map"])
    }

    @Test("the slot empties when the connection ends, and its touches and controls end for other subscribers")
    func lease() throws {
        let watcher = stage.connect()
        _ = stage.send(#"{"request":"subscribe","to":["touches","controls"]}"#, to: watcher)
        do {
            let client = stage.connect()
            _ = publish(Self.button, client)
            stage.finger(.began, 150, 150)
            #expect(watcher.briefs() == ["control held buy", "touch began buy"])
        }
        stage.settle()
        #expect(watcher.briefs() == ["control released buy", "touch cancelled buy"])
        #expect(stage.layout.scene?.slot(named: "page")?.viewCount == 0)
        #expect(stage.layout.scene?.slot(named: "page")?.publisher == nil)
        stage.finger(.ended, 150, 150)
        #expect(watcher.lines() == [])
    }

    @Test("an entry with an invalid name is left out alone, and the answer names it, also for the same list again")
    func invalidNames() throws {
        let client = stage.connect()
        let list =
            #"[{"id": "--help", "frame": [0, 0, 1, 1]}, {"id": "b", "frame": [0, 0, 100, 100]}, "#
            + #"{"id": "c", "frame": [0, 0, 1, 1], "gestures": [{"tap": {}, "id": "a -r"}], "redirect": "b"}]"#
        let first = try #require(publish(list, client).first)
        #expect(publish(list, client) == [first])
        let result = try #require(ProtocolLine(first).members["result"]).decode(LayoutState.Slot.self)
        #expect(result.views == 1)
        #expect(result.refused?.map(\.index) == [0, 2] && result.refused?.map(\.view) == ["--help", "c"])
        #expect(result.refused?.first?.message.hasSuffix("(got '--help'); write 'help'") == true)
        #expect(stage.layout.scene?.slot(named: "page")?.contains("b") == true)
        #expect(publish(Self.button, client).first?.contains("refused") == false)
    }

    @Test("errors are in the answer, each with its entry, and the connection stays")
    func errors() throws {
        let client = stage.connect()
        let answer = try #require(
            publish(
                #"[{"id": "a", "frame": [0, 0, 1, 1]}, {"id": "b", "frame": [0, 0, 1, 1], "on": {"began": "exec"}}]"#,
                client
            )
            .first)
        let error = try #require(ProtocolLine(answer).members["error"]).decode(ControlError.self)
        #expect(error.code == .viewsRefused && error.views?.map(\.index) == [1] && error.views?.map(\.view) == ["b"])
        for (request, code) in [
            (#"{"request":"views","slot":"none","views":[]}"#, "no-such-slot"),
            (#"{"request":"views","slot":"page"}"#, "wrong-argument"),
            (#"{"request":"views","slot":"page","views":[],"publisher":""}"#, "wrong-argument"),
            (#"{"request":"move","frames":{"behind":[0,0,1,1]}}"#, "wrong-argument"),
            (#"{"request":"move","frames":{"no":[0,0,1,1]}}"#, "no-such-view"),
            (#"{"request":"move","frames":{"no":[0,0,1]}}"#, "wrong-argument"),
        ] {
            #expect(stage.send(request, to: client).first?.contains("\"\(code)\"") == true, "\(request)")
        }
    }

    @Test("a second client takes the slot over, the first is notified, and its end changes nothing")
    func takeover() throws {
        let second = stage.connect()
        do {
            let first = stage.connect()
            _ = publish(Self.button, first)
            _ = publish(Self.button, second)
            #expect(first.lines() == [#"{"event": "slot", "slot": "page", "change": "taken"}"#])
        }
        stage.settle()
        #expect(stage.layout.scene?.slot(named: "page")?.viewCount == 1)
    }

    @Test("views stay over a reload that accepts them, and the client is notified of one that does not")
    func reload() throws {
        let client = stage.connect()
        _ = publish(Self.button, client)
        try stage.reload(Self.layout.replacing("[100, 100, 800, 800]", with: "[0, 0, 500, 500]"))
        stage.settle()
        #expect(
            client.lines() == [
                #"{"event": "slot", "slot": "page", "change": "resized", "x": 0, "y": 0, "width": 500, "height": 500}"#
            ])
        #expect(stage.layout.scene?.slot(named: "page")?.viewCount == 1)
        try stage.reload(
            Self.layout.replacing("handlers: [buy]", with: "handlers: []").replacing("{buy: ", with: "{sell: "))
        stage.settle()
        #expect(client.briefs() == ["slot emptied page"])
        #expect(stage.layout.scene?.slot(named: "page")?.viewCount == 0)
    }

    @Test("slot answers with the views as published, their publisher and moved frames, also after a reload")
    func slotAnswer() throws {
        let client = stage.connect(), other = stage.connect()
        #expect(
            stage.send(#"{"request":"slot","slot":"page"}"#, to: other) == [#"{"result": {"frames": {}, "views": []}}"#]
        )
        _ = publish(Self.button, client)
        _ = stage.send(#"{"request":"move","frames":{"buy":[10,20,30,40.5]}}"#, to: client)
        let answer = [
            #"{"id": "a", "result": {"publisher": "shop", "frames": {"buy": [10, 20, 30, 40.5]}, "views": \#(Self.button)}}"#
        ]
        #expect(stage.send(#"{"request":"slot","slot":"page","id":"a"}"#, to: other) == answer)
        try stage.reload(Self.layout)
        stage.settle()
        #expect(stage.send(#"{"request":"slot","slot":"page","id":"a"}"#, to: other) == answer)
        #expect(stage.layout.scene?.view(withIdentifier: "buy")?.frame == CGRect(x: 10, y: 20, width: 30, height: 40.5))
        // A new list begins with its own frames.
        _ = publish(Self.button, client)
        #expect(stage.send(#"{"request":"slot","slot":"page"}"#, to: other).first?.contains(#""frames": {}"#) == true)
        #expect(stage.send(#"{"request":"slot","slot":"none"}"#, to: other).first?.contains("no-such-slot") == true)
    }

    @Test("subscribers of inspection learn that views were published, moved and withdrawn")
    func slotEvents() throws {
        let watcher = stage.connect()
        _ = stage.send(#"{"request":"subscribe","to":["inspection"]}"#, to: watcher)
        func changes() -> [String] {
            watcher.briefs().filter { $0.hasPrefix("slot") }
        }
        do {
            let client = stage.connect()
            _ = publish(Self.button, client)
            #expect(changes() == ["slot published page"])
            _ = stage.send(#"{"request":"move","frames":{"buy":[0,0,1,1]}}"#, to: client)
            #expect(changes() == ["slot moved page"])
        }
        stage.settle()
        #expect(changes() == ["slot emptied page"])
    }

    @Test("keys of a published PIN pad are named to their publisher only")
    func privateKeys() throws {
        let client = stage.connect(), watcher = stage.connect()
        for client in [client, watcher] {
            _ = stage.send(#"{"request":"subscribe","to":["touches","gestures","controls"]}"#, to: client)
        }
        _ = publish(
            #"[{"id": "pad", "frame": [0, 0, 100, 100], "private": true, "gestures": ["tap"], "views": "#
                + #"[{"id": "key-5", "frame": [0, 0, 50, 50], "control": "button"}]}]"#, client)
        stage.finger(.began, 110, 110)
        stage.finger(.ended, 110, 110)
        let own = client.lines(), others = watcher.lines()
        #expect(
            own.filter { $0.contains("key-5") }.map { ProtocolLine($0)["control"] } == ["held", "released", "pressed"])
        #expect(!others.isEmpty && others.count == own.count)
        #expect(others.allSatisfy { !$0.contains("key-5") && !$0.contains("\"x\"") })
    }

    @Test("layout says whether touches are ignored")
    func ignoring() throws {
        let client = stage.connect()
        func isIgnoring() throws -> Bool? {
            let answer = try #require(stage.send(#"{"request":"layout"}"#, to: client).last)
            return try #require(ProtocolLine(answer).members["result"]).decode(LayoutState.self).ignoring
        }
        #expect(try isIgnoring() == false)
        _ = stage.send(#"{"request":"ignore","seconds":60}"#, to: client)
        #expect(try isIgnoring() == true)
        _ = stage.send(#"{"request":"ignore","seconds":0}"#, to: client)
        #expect(try isIgnoring() == false)
    }

    @Test("layout answers with toggles and slots, and switching one is an event")
    func state() throws {
        let client = stage.connect()
        _ = publish(#"[{"id": "t", "frame": [0, 0, 10, 10], "control": "toggle"}]"#, client)
        _ = stage.send(#"{"request":"subscribe","to":["controls"]}"#, to: client)
        let lines = stage.send(#"{"request":"switch-on","view":"t"}"#, to: client)
        #expect(lines.map { ProtocolLine($0).brief } == ["control toggled t", "-"] || lines.count == 2)
        let answer = try #require(stage.send(#"{"request":"layout"}"#, to: client).first)
        #expect(answer.contains(#""toggles": [{"view": "t", "on": true}]"#))
        #expect(
            answer.contains(
                #"{"slot": "page", "publisher": "shop", "views": 1, "x": 100, "y": 100, "width": 800, "height": 800}"#))
        #expect(answer.contains(#"{"slot": "second", "views": 0, "x": 900, "y": 900, "width": 100, "height": 100}"#))
    }
}
