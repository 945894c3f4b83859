@testable import ControlProtocol
import Foundation
import Testing

/// Version 1 of the protocol, as Files/protocol-1.txt has it. A client or a touchd that speaks it may be years old, so the
/// file's lines never change; a message that is added to the version gets its line.
@Suite("Version 1 of the protocol") nonisolated struct ProtocolVersionTests {
    private static let lines = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files/protocol-1.txt")
        return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }()

    /// The lines that begin with a sign, without it.
    private static func lines(_ sign: String) -> [[UInt8]] {
        lines.filter { $0.hasPrefix(sign) }.map { Array($0.dropFirst(2).utf8) }
    }

    @Test("its requests are understood", arguments: zip(lines("→"), VersionOne.exchanges.map(\.request)))
    func request(line: [UInt8], request: ControlRequest) throws {
        #expect(try ControlLine(line).request.get() == request)
    }

    @Test(
        "its requests are sent as an older touchd understands them",
        arguments: zip(lines("→"), VersionOne.exchanges))
    func sent(line: [UInt8], exchange: VersionOne.Exchange) throws {
        try expectAll(of: JSONTree(line), in: JSONTree(exchange.request.line))
    }

    @Test("its answers are read as the values they had", arguments: zip(lines(#"← {"result"#), VersionOne.exchanges))
    func answer(line: [UInt8], exchange: VersionOne.Exchange) throws {
        let result = try #require(JSONTree(line)["result"])
        #expect(try exchange.request.answer.init(json: result).text == exchange.result.text)
        try expectAll(of: result, in: JSONTree(exchange.result.jsonLine))
    }

    @Test(
        "its events have their members, and tools read those that they know",
        arguments: zip(lines(#"← {"event"#), VersionOne.events.indices))
    func event(line: [UInt8], index: Int) throws {
        let event = VersionOne.events[index], json = try JSONTree(line)
        try expectAll(of: json, in: JSONTree(event.jsonLine))
        guard let type = type(of: event) as? any JSONMessage.Type else { return }
        #expect(try type.init(json: json).text == event.text)
    }

    @Test("its error has its members, and is read")
    func error() throws {
        let line = try #require(Self.lines(#"← {"error"#).first)
        let json = try #require(JSONTree(line)["error"])
        #expect(try ControlError(json: json) == VersionOne.error)
        try expectAll(of: json, in: JSONTree(VersionOne.error.jsonLine))
    }

    @Test("its codes of errors are kept, which programs compare")
    func codes() {
        let codes = [
            "not-a-request", "line-too-long", "unknown-request", "wrong-protocol", "wrong-argument", "no-such-view",
            "no-such-page", "no-such-slot", "views-refused", "replaced", "layout-refused", "unavailable",
            "not-permitted", "too-many-clients",
        ]
        #expect(codes.allSatisfy { ControlError.Code(rawValue: $0) != nil })
    }

    @Test("each request, answer and event has a line")
    func complete() {
        #expect(Set(VersionOne.exchanges.map(\.request.name)) == Set(ControlRequest.names))
        #expect(VersionOne.events.map { "\(type(of: $0).event)" } == EventTable.all.map { "\($0.event)" })
        let today =
            VersionOne.exchanges.flatMap {
                ["→ \(String(decoding: $0.request.line, as: UTF8.self))", #"← {"result": \#($0.result.text)}"#]
            } + [#"← {"error": \#(VersionOne.error.text)}"#] + VersionOne.events.map { "← \($0.text)" }
        #expect(Self.lines.count == today.count, "\(today.joined(separator: "\n"))")
    }

    /// Expects that everything in a text of version 1 is in today's, which may have more members.
    private func expectAll(of old: JSONTree, in new: JSONTree, _ path: String = "") {
        if let members = old.members {
            for (name, value) in members {
                guard let today = new[name] else {
                    Issue.record("\(path).\(name) is missing")
                    continue
                }
                expectAll(of: value, in: today, "\(path).\(name)")
            }
        } else if let items = old.items, let today = new.items, items.count == today.count {
            for (index, pair) in zip(items, today).enumerated() {
                expectAll(of: pair.0, in: pair.1, "\(path).\(index)")
            }
        } else {
            #expect(old == new, "\(path)")
        }
    }
}

/// The values of the lines, in their order.
nonisolated enum VersionOne {
    struct Exchange: Sendable {
        let request: ControlRequest
        let result: any JSONValue & Sendable

        init(_ request: ControlRequest, _ result: any JSONValue & Sendable = NoAnswer()) {
            (self.request, self.result) = (request, result)
        }
    }

    static let error = ControlError(
        PublicationError([.init(index: 0, view: "buy", message: "frame of view 'buy' must have 4 numbers (got 3)")]))

    static let exchanges: [Exchange] =
        [
            Exchange(.hello(protocol: 1), HelloAnswer { $0.version = "0.1.0" }),
            Exchange(
                .subscribe(to: [.touches, .gestures], moves: true, own: true),
                SubscriptionAnswer { ($0.to, $0.moves, $0.own) = (["touches", "gestures"], true, true) }),
            Exchange(.status, status), Exchange(.command(.reload)), Exchange(.command(.ignore(seconds: 0.5))),
            Exchange(.command(.turned(.accommodate, on: true))), Exchange(.command(.turned(.talk, on: true))),
        ]
        + LayoutCommand.Kind.allCases.compactMap { LayoutCommand($0, name: "start") }.map { Exchange(.command($0)) }
        + [
            Exchange(
                .views(slot: "page", publisher: "shop", views: tree(#"[{"id": "buy", "frame": [60, 60, 400, 200]}]"#)),
                slot),
            Exchange(
                .slot("page"),
                LayoutState.Publication {
                    ($0.publisher, $0.frames) = ("shop", ["buy": frame])
                    $0.views = tree(#"[{"id": "buy", "frame": [60, 60, 400, 200]}]"#)
                }),
            Exchange(.move(frames: ["buy": frame])), Exchange(.hit(x: 812.4, y: 501, screen: "left"), hit),
            Exchange(.layout, layout),
            Exchange(.listPages, [PageState { ($0.page, $0.screen, $0.shown) = ("start", "left", true) }]),
            Exchange(
                .listViews(part: 1),
                ViewList {
                    $0.views = [
                        .init {
                            ($0.view, $0.page, $0.screen, $0.frame) = ("sound", "start", "left", frame)
                            ($0.hidden, $0.enabled, $0.on, $0.covered) = (false, true, true, true)
                        }
                    ]
                    $0.next = 2
                }),
            Exchange(.devices, [device]),
            Exchange(
                .recording(source: 1, part: 2),
                RecordingPart {
                    ($0.source, $0.name, $0.text, $0.next) = (1, "Panel", "E: 0.000001 0003 0039 0001\n", 3)
                }),
            Exchange(.rehearse(device: "/dev/input/event7")),
        ]

    static let events: [any EventRecord] = [
        touch, gesture, ControlRecord(time: 3625.3, control: .toggled, view: "sound", on: true),
        DeviceRecord(change: .failed, name: "Panel", path: "/dev/input/event3", reason: "it is held"),
        PageRecord(time: 3625.4, page: "start"), LayoutRecord(layout: "/etc/touchd/touchd.yaml"),
        IdleRecord(time: 3685.4, trigger: .idle, after: 60),
        accessibility,
        SlotRecord(slot: "page", change: .emptied, reason: "the layout has no slot 'page'", frame: frame),
        PublishedRecord(time: 3625.5, "open", to: "museum/door"),
        RehearsalRecord { ($0.phase, $0.view, $0.x, $0.y, $0.delay) = (.began, "view 'start'", 812.4, 501.3, 0.0004) },
        DroppedRecord(count: 213), inspection,
    ]

    private static let accessibility = {
        var record = AccessibilityRecord(time: 3690, change: .focus)
        (record.view, record.label, record.role, record.state) = ("sound", "Ton", .toggle, .on)
        (record.value, record.language) = ("5", "de")
        return record
    }()

    private static let frame = Frame(x: 0, y: 40.5, width: 400, height: 200)

    private static func tree(_ text: String) -> JSONTree {
        guard let tree = try? JSONTree(text.utf8) else { preconditionFailure("not JSON: \(text)") }
        return tree
    }

    private static let slot = LayoutState.Slot {
        ($0.slot, $0.publisher, $0.views) = ("page", "shop", 1)
        ($0.width, $0.height) = (1920, 1080)
    }

    private static let touch = TouchRecord {
        ($0.time, $0.device, $0.touch, $0.phase, $0.screen) = (3625.114502, "Panel", 12, .ended, "left")
        ($0.x, $0.y, $0.view, $0.forwarded, $0.handlers) = (812.4, 501.3, "start", "yes", ["greet"])
    }

    private static let gesture: GestureRecord = {
        var measures = GestureRecord.Measures(touches: 2)
        (measures.x, measures.y, measures.scale, measures.rotation) = (611, 400.5, 1.5, 0.25)
        (measures.translation, measures.velocity) = (.vector(12, -3.5), .scalar(0.21))
        measures.direction = "left"
        return GestureRecord(
            time: 3625.2, gesture: "pinch", id: "zoom", trigger: .changed, view: "map", measures: measures)
    }()

    private static let inspection: InspectionRecord = {
        var record = InspectionRecord()
        (record.time, record.queue.frames, record.queue.age) = (3625.1145, 1, 0.001)
        var touch = InspectionRecord.Touch()
        (touch.touch, touch.source, touch.phase, touch.raw) = (12, 1, .ended, [3040, 1760])
        (touch.x, touch.y, touch.screen, touch.view) = (812.4, 501.3, "left", "start")
        (touch.forwarded, touch.handlers) = ("yes", ["greet"])
        touch.attachment = .init {
            ($0.path, $0.responders) = (["start"], ["view 'start'", "window"])
            $0.recognizers = [
                .init {
                    ($0.recognizer, $0.gesture, $0.id, $0.view, $0.state) = (2, "tap", "one", "map", .ended)
                }
            ]
        }
        (record.whole, record.touches, record.pages, record.latency) = (true, [touch], ["start"], 0.0004)
        record.changes = [
            .init {
                ($0.recognizer, $0.gesture, $0.id, $0.view) = (2, "tap", "one", "map")
                ($0.from, $0.to, $0.touches) = (.possible, .ended, [12])
            }
        ]
        record.views = [.init { ($0.view, $0.hidden, $0.enabled) = ("help", true, false) }]
        return record
    }()

    private static let hit = HitReport {
        ($0.x, $0.y, $0.screen, $0.page, $0.view, $0.path) = (812.4, 501, "left", "start", "buy", ["buy", "page"])
        $0.visits = [
            .init {
                ($0.view, $0.location, $0.publisher) = ("view 'buy'", "touchd.yaml:3:5", "shop")
                ($0.depth, $0.outcome, $0.reason) = (2, .taken, "takes the touch")
            }
        ]
        $0.recognizers = [.init { ($0.gesture, $0.view, $0.isEnabled) = ("tap", "view 'buy'", false) }]
        $0.responders = ["view 'buy'", "window"]
        $0.handlers = [.init { ($0.at, $0.trigger, $0.handler) = ("view 'buy'", "pressed", "buy") }]
        $0.forwarding = .init {
            ($0.isForwarded, $0.by, $0.cancelledBy, $0.delayedBy) = (true, "the layout", ["pan"], ["tap"])
        }
    }

    private static let layout = LayoutState {
        ($0.layout, $0.refusal) = ("/etc/touchd/touchd.yaml", "touchd.yaml:1:1: error")
        $0.screens = [.init { ($0.name, $0.width, $0.height, $0.page) = ("left", 1920, 1080, "start") }]
        $0.views = [.init { ($0.view, $0.hidden, $0.enabled) = ("help", true, false) }]
        $0.toggles = [.init { ($0.view, $0.on) = ("sound", true) }]
        $0.slots = [slot]
    }

    private static let device = DeviceState {
        ($0.source, $0.name, $0.path, $0.use, $0.reason) = (1, "Panel", "/dev/input/event3", .ignored, "a rule")
        ($0.kind, $0.touchProtocol) = ("touchscreen", "B")
        $0.x = .init { ($0.minimum, $0.maximum, $0.resolution) = (-5, 4095, 12) }
        $0.y = .init { ($0.minimum, $0.maximum, $0.resolution) = (0, 4095, 0) }
        ($0.matrix, $0.region, $0.screen) = ([1, 0, 0, 0, 1, 0], [0, 0, 0.5, 1], "left")
        ($0.forward, $0.forwardRemark) = ("/dev/input/event9", "it is held")
    }

    private static let status = StatusReport {
        ($0.version, $0.process, $0.uptime) = ("0.1.0", 812, 3600.5)
        ($0.layout, $0.layoutVersion, $0.layoutHash) = ("/etc/touchd/touchd.yaml", "7", "0f3a")
        ($0.refusal, $0.lastGood) = ("touchd.yaml:1:1: error", "2026-11-25T12:00:00Z")
        ($0.pages, $0.ignoring, $0.deviceErrors, $0.deviceOverruns) = (["start"], true, 1, 2)
        $0.devices = [
            .init {
                ($0.name, $0.path, $0.use, $0.reason) = ("Panel", "/dev/input/event3", .failed, "it is held")
                ($0.held, $0.forward, $0.forwardRemark) = (true, "/dev/input/event9", "it is held")
            }
        ]
        $0.touches = .init {
            ($0.began, $0.ended, $0.cancelled, $0.down) = (9, 7, 1, 1)
            ($0.perMinute, $0.moved, $0.stale) = (4, 120, 2)
        }
        $0.forwarding = .init { ($0.began, $0.ended, $0.cancelled, $0.kept) = (3, 2, 1, ["view": 4]) }
        $0.droppedPresses = 3
        $0.queue = .init { ($0.frames, $0.oldest, $0.coalescedMoves) = (1, 0.001, 2) }
        $0.latency = timing
        $0.handlers = [.init { ($0.name, $0.time, $0.failures) = ("greet", timing, 1) }]
        $0.loop = timing
        $0.log = .init { ($0.waiting, $0.dropped) = (1, 2) }
        $0.control = .init {
            ($0.clients, $0.subscribers, $0.droppedEvents, $0.refused) = (3, 2, 213, 1)
        }
        $0.watchdog = 10
    }

    private static let timing = StatusReport.Timing {
        ($0.count, $0.sum, $0.p50, $0.p99, $0.p999, $0.longest) = (9, 0.5, 0.01, 0.02, 0.03, 0.04)
    }
}
