import CLinux
import ControlProtocol
import EventLoop
import Foundation
import Logging
import Outputs
import TouchKit

@testable import Evdev
@testable import Handlers
@testable import Layout
@testable import Service

/// A session of visitors, programs and an operator at a kiosk with private views, which can be played twice: the second
/// time, fingers at private places are elsewhere in the same key.
struct PrivateSession {
    /// A square of 100 by 100 points in which nothing distinguishes two places, by its upper left corner.
    struct Place {
        var x: Int, y: Int

        /// The keys of a pad, the space between them, a slot, a popup in front of the pad, the wall, a button.
        static let all = [
            (0, 0), (100, 0), (200, 0), (0, 100), (100, 100), (200, 200), (300, 0), (400, 0), (500, 0), (600, 0),
            (700, 0),
            (800, 0), (900, 0), (300, 300), (400, 300), (600, 600), (700, 600), (0, 800), (900, 900),
        ].map { Place(x: $0, y: $1) }
    }

    enum Step {
        /// A finger comes down or moves to a distance from the corner of a place; elsewhere if it is at a private one.
        case touch(finger: Int, Place, dx: Int, dy: Int, elsewhere: (x: Int, y: Int), after: Int)
        /// A finger lifts, after milliseconds.
        case lift(finger: Int, after: Int)
        case wait(Int)
        /// A request of the operator.
        case request(String)
        /// A request of the program that publishes views; it connects first.
        case publish(String)
        case disconnect
        case reload(Int)
        /// The loop and the worker do what is due; without it, frames follow one another.
        case settle
    }

    var steps: [Step]

    /// What a play shows.
    struct Course {
        /// What recognizers and views really got, which must be the same in both plays.
        var truth: [String] = []
        /// What each output has written.
        var outputs: [(name: String, lines: [String])] = []
    }

    /// Plays the session.
    func play(elsewhere: Bool) throws -> Course {
        let player = try SessionPlayer(isElsewhere: elsewhere)
        for step in steps { try player.perform(step) }
        return try player.finish()
    }
}

/// A kiosk with every output attached.
private final class SessionPlayer {
    private static let steps = """
        [{log: "{view} {x},{y} {gesture} {trigger} {scale} {rotation} {translation-x},{translation-y} {velocity-x},{velocity-y}"},
        {publish: {topic: "all/{view}/{x}"}}, {publish: {topic: "{gesture}/{y}", message: "{touch} {phase} {x}", mqtt: {host: broker}}},
        {http: {url: "http://server/{view}/{x}/{translation-y}"}}, facts]
        """.replacing("\n", with: "")

    private static let touchSteps = "on: {began: told, moved: told, ended: told, cancelled: told}"
    private static let controlSteps = "on: {held: told, released: told, pressed: told}"

    private static func gestures(_ view: String, _ kinds: [String]) -> String {
        let list = kinds.enumerated().map { number, kind in
            let isDiscrete = ["tap", "swipe", "sequence", "chord"].contains { kind.hasPrefix($0) }
            let steps = isDiscrete ? "run: told" : "on: {began: told, changed: told, ended: told, cancelled: told}"
            return "{\(kind), id: \(view)\(number), cancels-touches: false, \(steps)}"
        }
        return "gestures: [\(list.joined(separator: ", "))]"
    }

    private static let wall = gestures(
        "wall",
        [
            "tap: {}", "tap: {taps: 2}", "tap: {touches: 2}", "pan: {}, together-with: [wall4, wall5]",
            "pinch: {}, together-with: [wall5]", "rotation: {}", "long-press: {}", "tap: {taps: 2, touches: 2}",
            "sequence: {views: [key-1, key-2], within: 5 s}",
        ])
    private static let pad = gestures(
        "pad", ["swipe: left", "swipe: right", "swipe: up", "swipe: down", "pan: {minimum-touches: 2}"])

    /// Layout 0, and another one in which the slot `shop` permits no handlers.
    private static func layout(_ number: Int) -> String {
        """
        screen: {size: [1000, 1000]}
        journal: {moves: 100}
        recording: {keep: 5 min}
        tuio: {host: 127.0.0.1, port: 3333}
        handlers: {told: \(steps)}
        pages:
          home:
            views:
              - id: wall
                frame: [0, 0, 1000, 1000]
                multiple-touch: true
                \(wall)
                \(touchSteps)
                views:
                  - id: pad
                    frame: [0, 0, 300, 300]
                    private: true
                    multiple-touch: true
                    \(pad)
                    views:
                      - {id: key-1, frame: [0, 0, 100, 100], control: button, \(controlSteps)}
                      - {id: key-2, frame: [100, 0, 100, 100], multiple-touch: true, \(gestures("key", ["tap: {}", "long-press: {}"])), \(touchSteps)}
                      - {id: flip, frame: [200, 0, 100, 100], control: toggle, \(controlSteps)}
                      - {id: off, frame: [0, 100, 100, 100], enabled: false, control: button}
                  - id: through
                    frame: [300, 0, 200, 100]
                    private: true
                    passthrough: true
                    views: [{id: key-3, frame: [0, 0, 100, 100], control: button, \(controlSteps)}]
                  - {id: vault, frame: [500, 0, 200, 100], private: true, slot: {name: keys, handlers: [told]}}
                  - {id: shop, frame: [700, 0, 300, 100], slot: {name: shop, handlers: [\(number == 0 ? "told" : "")]}}
                  - {id: ring, frame: [300, 300, 100, 100], redirect: key-1}
                  - {id: button, frame: [400, 300, 100, 100], control: button, \(controlSteps)}
                  - {id: front, frame: [200, 200, 100, 100], \(touchSteps)}
                  - {id: next, frame: [0, 800, 100, 100], control: button, on: {pressed: {go: other}}}
          other:
            views:
              - {id: field, frame: [0, 0, 1000, 1000], multiple-touch: true, \(gestures("field", ["tap: {}", "pan: {}"])), \(touchSteps)}
              - {id: back, frame: [900, 900, 100, 100], control: button, on: {pressed: {go: home}}}
              - {id: pin, frame: [0, 0, 100, 100], private: true, passthrough: true}

        """
    }

    private let isElsewhere: Bool
    private let stage: SlotStage
    private let info: DeviceInfo
    private var pipeline: FramePipeline?
    private let operatorClient: RawClient
    private var publisher: RawClient?
    private var time: Int64 = 1_000_000
    /// The fingers that are down: where, how far from there, and whether they were at a private place.
    private var fingers: [Int: (place: PrivateSession.Place, dx: Int, dy: Int, elsewhere: (x: Int, y: Int)?)] = [:]

    private let journal = JournalReceiver()
    private let stream: (file: FileHandle, text: FileHandle)
    private var streams: [StandardStream] = []
    private let tuio: (sender: Int32, receiver: Int32)
    private let network: NetworkPeer
    private var lines: [String: [String]] = [:]
    private let truth = Truth()
    private let record = Record()

    /// The lines of the log and of the handler `facts`.
    private final class Record: Sendable {
        nonisolated(unsafe) var log: [String] = [], facts: [String] = []
    }

    /// A log with its fields.
    private struct Log: LogHandler {
        let record: Record
        nonisolated var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        nonisolated var logLevel: Logger.Level {
            get { .debug }
            set {}
        }
        nonisolated subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }
        nonisolated func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
            record.log.append("\(event.message) \(fields)")
        }
    }

    init(isElsewhere: Bool) throws {
        self.isElsewhere = isElsewhere
        let registry = HandlerRegistry(), record = record, truth = truth
        weak var scene: SlotStage?
        registry.register("facts") { (context: HandlerContext) in
            guard let stage = scene else { return }
            let facts = HandlerFacts(
                context, handler: "facts", scene: stage.layout.scene, deviceName: { _ in "Panel" },
                now: { stage.application.currentTime })
            record.facts += [facts.json, facts.sentence] + facts.environment
            truth.note(context)
        }
        network = try NetworkPeer()
        let log = Log(record: record)
        setenv("TOUCHD_NETWORK_SOCKET", network.path, 1)
        defer { unsetenv("TOUCHD_NETWORK_SOCKET") }
        stage = try SlotStage(
            Self.layout(0), isLive: false, handlers: registry, logger: Logger(label: "test") { _ in log })
        scene = stage

        var description = DeviceDescription(name: "made up")
        for axis in [ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID] {
            description.insertAxis(UInt16(axis), AxisInfo(minimum: 0, maximum: 999))
        }
        description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9))
        description.properties.insert(UInt16(INPUT_PROP_DIRECT))
        info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "made up", description: description,
            role: DeviceRole(kind: .touchscreen, touchProtocol: .slots), use: .used, settings: DeviceSettings())

        func file() throws -> FileHandle {
            let url = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID()).lines")
            try Data().write(to: url)
            defer { unlink(url.path) }
            return try FileHandle(forUpdating: url)
        }
        stream = (try file(), try file())
        var pair: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0, &pair)
        tuio = (pair[0], pair[1])
        operatorClient = stage.connect()

        streams = [stream.file, stream.text].map { file in
            StandardStream(descriptor: file.fileDescriptor, loop: stage.loop, notice: { "\($0) lost" }, onEnd: { _ in })
        }
        let touchJournal = TouchJournal(JournalSender(loop: stage.loop, path: journal.path))
        touchJournal.follow(hasTouches: true, movesPerSecond: 100)
        truth.focus = { [unowned stage] in stage.layout.scene?.session?.exploring.focus }
        let listeners: [any TouchListener] = [
            truth,
            StreamListener(streams[0], moves: nil), StreamListener(streams[1], moves: MoveSampler(perSecond: 50)),
            touchJournal,
        ]
        for listener in listeners { stage.listeners.add(listener) }
        stage.observers.tuio?.send(through: PassedDescriptor(dup(tuio.sender)))
        pipeline = FramePipeline(info) { [unowned self] frame in
            stage.application.enqueue(frame)
            stage.application.drainEvents()
        }
        pipeline?.observer = stage.observers.history?.opened(info)
        request(
            #"{"request":"subscribe","to":["touches","gestures","controls","pages","published","inspection"],"moves":true}"#
        )
    }

    isolated deinit {
        close(tuio.sender)
        close(tuio.receiver)
    }

    // MARK: Steps

    func perform(_ step: PrivateSession.Step) throws {
        if !stage.application.observers.contains(where: { $0 === truth }) { stage.application.observers.append(truth) }
        switch step {
        case .touch(let number, let place, let dx, let dy, let elsewhere, let delay):
            time += Int64(delay) * 1000
            let isNew = fingers[number] == nil
            var finger = fingers[number] ?? (place, dx, dy, nil)
            (finger.place, finger.dx, finger.dy) = (place, dx, dy)
            let isFirst = finger.elsewhere == nil && isPrivate(place, isNew)
            if isFirst { finger.elsewhere = elsewhere }
            // It also moves otherwise, by a little, so that most gestures are the same.
            if !isNew, let first = finger.elsewhere {
                finger.elsewhere = (first.x + elsewhere.x.signum(), first.y + elsewhere.y.signum())
            }
            fingers[number] = finger
            let pages = stage.layout.scene?.currentPages
            report(number, isNew)
            // A press that waited for this finger has shown another page before the finger reached its key.
            if isFirst, stage.layout.scene?.currentPages != pages { truth.note("not in a key", isElsewhere) }
        case .lift(let number, let delay):
            guard fingers.removeValue(forKey: number) != nil else { return }
            time += Int64(delay) * 1000
            feed([(ABS_MT_SLOT, number), (ABS_MT_TRACKING_ID, -1)])
        case .wait(let milliseconds):
            time += Int64(milliseconds) * 1000
            stage.application.advanceTime(to: InputTimestamp(microseconds: time))
        case .request(let line): request(line)
        case .publish(let line):
            let client = publisher ?? stage.connect()
            if publisher == nil {
                client.write(line: #"{"request":"subscribe","to":["touches","gestures","controls"],"own":true}"#)
            }
            publisher = client
            client.write(line: line)
        case .disconnect:
            collect()
            publisher = nil
        case .reload(let number):
            collect()
            try keepRecording()
            try stage.reload(Self.layout(number))
            pipeline?.observer = stage.observers.history?.opened(info)
        case .settle: collect()
        }
    }

    private func request(_ line: String) {
        operatorClient.write(line: line)
        collect()
    }

    private func report(_ number: Int, _ isNew: Bool) {
        guard let finger = fingers[number] else { return }
        let offset = isElsewhere ? finger.elsewhere ?? (x: 0, y: 0) : (x: 0, y: 0)
        let x = finger.place.x + 30 + finger.dx + offset.x, y = finger.place.y + 30 + finger.dy + offset.y
        let id = isNew ? [(ABS_MT_TRACKING_ID, Int(time / 1000 % 60_000))] : []
        feed([(ABS_MT_SLOT, number)] + id + [(ABS_MT_POSITION_X, x), (ABS_MT_POSITION_Y, y)])
    }

    private func feed(_ events: [(Int32, Int)]) {
        for (code, value) in events { feed(EV_ABS, code, value) }
        feed(EV_SYN, SYN_REPORT, 0)
    }

    private func feed(_ type: Int32, _ code: Int32, _ value: Int) {
        pipeline?.feed(
            InputEvent(
                type: UInt16(type), code: UInt16(code), value: Int32(value), time: InputTimestamp(microseconds: time)))
    }

    /// Whether a private view is visible at a place, or gets a finger that comes down there: a search of all views.
    private func isPrivate(_ place: PrivateSession.Place, _ isNew: Bool) -> Bool {
        guard let window = stage.layout.scene?.windows[0] else { return false }
        let point = CGPoint(x: Double(place.x) + 50, y: Double(place.y) + 50)
        if isNew, let hit = window.hitTest(point, with: nil), isInPrivate(hit) { return true }
        var waiting: [View] = [window]
        while let view = waiting.popLast() {
            if view.isHidden { continue }
            if view.isPrivate, view.point(inside: view.convert(point, from: nil), with: nil) { return true }
            waiting += view.subviews
        }
        return false
    }

    private func isInPrivate(_ view: View) -> Bool {
        view.isPrivate || view.superview.map { isInPrivate($0) } ?? false
    }

    // MARK: Outputs

    private func collect() {
        stage.settle()
        network.receive { lines["network", default: []].append($0) }
        stage.settle()
        lines["subscriber", default: []] += operatorClient.lines()
        lines["publisher", default: []] += publisher?.lines() ?? []
        while let entry = journal.next() {
            lines["journal", default: []].append(String(decoding: entry, as: UTF8.self))
        }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = recv(tuio.receiver, &bytes, bytes.count, 0), count > 0 {
            // Without the number of the bundle, because the last one is repeated after a second of this machine's clock.
            let bundle = Data(bytes[..<(count - 4)]).base64EncodedString()
            if lines["TUIO"]?.last != bundle { lines["TUIO", default: []].append(bundle) }
        }
    }

    private func keepRecording() throws {
        guard var recording = stage.observers.history?.recording(of: info.id, at: InputTimestamp(microseconds: time))
        else {
            return
        }
        var text = ""
        while !recording.isAtEnd { text += recording.next(bytes: 10_000) }
        lines["recording", default: []] += text.split(separator: "\n").map(String.init)
    }

    func finish() throws -> PrivateSession.Course {
        for number in fingers.keys.sorted() { try perform(.lift(finger: number, after: 10)) }
        try perform(.wait(3000))
        collect()
        try keepRecording()
        for line in [#"{"request":"layout"}"#, #"{"request":"slot","slot":"shop"}"#] { request(line) }
        request(#"{"request":"hit","x":150,"y":50}"#)
        for (name, file, stream) in [("JSON", stream.file, streams[0]), ("text", stream.text, streams[1])] {
            stream.finish()
            try file.seek(toOffset: 0)
            let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            lines[name] = text.split(separator: "\n").map(String.init)
        }
        // The names of temporary files differ.
        (lines["log"], lines["facts"]) = (record.log, record.facts)
        let outputs = lines.sorted { $0.key < $1.key }.map { name, lines in
            (name: name, lines: lines.map { $0.replacing(stage.file, with: "LAYOUT") })
        }
        return PrivateSession.Course(truth: truth.lines, outputs: outputs)
    }
}

/// What happens really, without concealment.
private final class Truth: DeliveryObserver, TouchListener {
    private(set) var lines: [String] = []
    /// The element that the talking mode has focused.
    var focus: () -> View? = { nil }

    func wants(_ header: EventHeader) -> Bool { header.kind == .accessibility }

    /// What the talking mode took a finger for: a swipe, a tap, exploring.
    func note(_ event: OutputEvent) {
        guard case .accessibility(let record) = event.content else { return }
        lines.append("\(record.change) \(focus()?.accessibilityIdentifier ?? "")")
    }

    func didChangeState(of recognizer: GestureRecognizer, from former: GestureRecognizer.State) {
        lines.append(
            "\(recognizer.name ?? "") of \(recognizer.view?.accessibilityIdentifier ?? ""): \(former) → \(recognizer.state)"
        )
    }

    func didDeliver(_ delivery: TouchDelivery) {
        lines.append(
            "touch \(delivery.touch.id) \(delivery.phase) \(delivery.touch.view?.accessibilityIdentifier ?? "")")
    }

    /// In the talking mode a finger that moves is no touch, but its frame has a time.
    func didIgnoreTouch(at timestamp: TimeInterval) { lines.append("kept \(timestamp)") }

    /// Something that makes the two plays different sessions.
    func note(_ event: String, _ isElsewhere: Bool) { lines.append("\(event) \(isElsewhere)") }

    func note(_ context: HandlerContext) {
        switch context.cause {
        case .gesture(let gesture): lines.append("\(gesture.name ?? "") \(context.trigger)")
        case .control(let control, _): lines.append("\(control.accessibilityIdentifier ?? "") \(context.trigger)")
        default: break
        }
    }
}

/// The process that has the network: it reads what touchd orders.
private final class NetworkPeer {
    let path = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)").path
    private let listener: Int32
    private var connection: PacketSocket?

    init() throws {
        listener = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        precondition(LocalAddress(path)?.withSockaddr { bind(listener, $0, $1) } == 0 && listen(listener, 8) == 0)
    }

    isolated deinit {
        close(listener)
        unlink(path)
    }

    func receive(_ note: (String) -> Void) {
        if connection == nil, case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            connection = PacketSocket(descriptor)
        }
        while let connection, case .value(let bytes, _) = connection.receive(limit: NetworkOrder.packetLimit) {
            let packet = String(decoding: bytes, as: UTF8.self)
            if packet.hasPrefix(#"{"hello""#) {
                try? connection.send(NetworkReport.hello(NetworkHello().version))
            } else if !packet.hasPrefix(#"{"setup""#) {
                // A setup has the path of the layout.
                note(packet)
            }
        }
    }
}
