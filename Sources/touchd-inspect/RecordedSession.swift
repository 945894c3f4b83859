import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import TouchKit

/// A recording that was delivered to a layout, with everything that happened.
///
/// Handlers change the layout (pages, views, breaks in which touches are ignored) and nothing else: no program is
/// started, nothing is sent, no key is pressed.
@MainActor
final class RecordedSession: Session {
    private let kept: KeptRecords
    private let seen: SeenTouches
    private let path: String
    private let layout: String
    private let document: LayoutDocument
    private let device: DeviceInfo
    /// The pages and views after the pages' `appeared` handlers.
    private let start: LayoutState
    private let duration: Double
    private let problems: [String]

    /// Delivers a whole recording as fast as it can be read.
    ///
    /// - Parameters:
    ///   - path: The recording: evemu text, the YAML of `libinput record` or the output of evtest, gzipped or not.
    ///   - description: The file with the device's description, if it is separate.
    ///   - named: The name or number of the device, in a recording of several.
    ///   - layout: The layout's file.
    /// - Throws: A `LayoutError`, or a `RecordingError` where nothing of it can be read or it is too long.
    init(recording path: String, description: String? = nil, device named: String? = nil, layout: String) throws {
        self.path = path
        self.layout = layout
        document = try LayoutDocument(path: layout, handlers: HandlerRegistry.builtinNames)
        let reader = try RecordingReader(path: path, description: description, device: named)

        let application = Application(), loop = EpollRunLoop.main
        let runner = HandlerRunner(
            registry: HandlerRegistry(), application: application, loop: loop,
            logger: Logger(label: "inspector") { _ in SwiftLogNoOpLogHandler() }, deviceName: { "\($0.rawValue)" })
        runner.isRehearsal = true
        runner.define(document.handlers)
        let scene = Scene(document, application: application) { step, context in runner.perform(step, for: context) }
        runner.scene = scene
        var kept = KeptRecords(), seen = SeenTouches()
        let recorder = InspectionRecorder(
            application: application, scene: { scene }, movesPerSecond: 1_000_000, isLive: false
        ) { record in
            kept.add(record)
            // A recording has no time of day; its own clock replaces it.
            seen.add(record, date: record.time)
        }
        application.observers = [recorder]
        scene.activate()
        start = LayoutState(scene, path: layout, refusal: nil)
        for page in start.screens.compactMap(\.page) { seen.show(page: page) }

        let played = application.play(reader, path: path, rules: document.devices, on: loop) { device in
            scene.screen(named: device.settings.target) ?? .main
        }
        device = played.device
        application.cancelAllTouches()
        application.observers = []
        scene.deactivate()
        runner.close()
        duration = max(played.lastTime.seconds, kept.lastTime)
        try kept.finish(of: path)
        self.kept = kept
        self.seen = seen
        var problems = played.failure.map { ["The recording ends early: \($0)"] } ?? []
        if case .ignored(let reason) = device.use {
            problems.append("live, touchd would ignore this device: \(reason)")
        }
        self.problems = problems
    }

    var records: [UInt8] { kept.json }

    func overview() async -> Overview {
        var overview = Overview(mode: "recording", source: path, problems: problems)
        overview.file = layout
        overview.layout = InspectedLayout(document)
        (overview.screens, overview.views) = (start.screens, start.views)
        overview.devices = [DeviceState(device)]
        overview.duration = duration
        return overview
    }

    func status() async -> StatusReport? { nil }

    func sendSnapshot() async {}

    func answer(_ question: WhatIf) async throws -> HitReport {
        guard let report = try question.answer(by: document, state: question.trial?.state ?? []) else {
            throw SessionError("\(document.unknown(screen: question.screen ?? ""))")
        }
        return report
    }

    func yaml(for trial: Trial) async throws -> String { trial.yaml(for: document) }

    func dayMap() async throws -> DayMap {
        var tally = DayMapTally(document)
        for touch in seen.touches { tally.add(touch) }
        return tally.map(.recording)
    }

    func export(_ question: RecordingExport.Question) async throws -> RecordingExport {
        throw SessionError("this is a recording already; copy its file \(path)")
    }

    func perform(_ request: ControlRequest) async throws {
        throw SessionError("a recording cannot be changed; change the trial copy")
    }
}

/// The records of a replayed recording, as the JSON text that the page requests.
///
/// A recording has hundreds of thousands of records, and encoding all at once takes ten times the memory of their text.
struct KeptRecords {
    /// Twice the JSON text of a 16 MB evemu recording.
    static let greatestLength = 64 << 20

    /// The records, a JSON array, once `finish()` was called.
    private(set) var json: [UInt8] = []
    /// The time of the last record that was kept; 0 at first.
    private(set) var lastTime = 0.0
    /// Whether there were more records than fit in; those are not kept.
    private(set) var isFull = false
    private let limit: Int

    /// Keeps nothing yet; `limit` is in bytes of text.
    init(limit: Int = greatestLength) {
        self.limit = limit
    }

    /// Keeps a record, unless it or one before is beyond the limit.
    mutating func add(_ record: InspectionRecord) {
        guard !isFull else { return }
        let text = record.jsonLine
        guard json.count + text.count + 2 <= limit else {
            isFull = true
            return
        }
        json.append(UInt8(ascii: json.isEmpty ? "[" : ","))
        json.append(contentsOf: text)
        lastTime = record.time
    }

    /// Ends the array.
    /// - Throws: `RecordingError.tooLong` if records are missing.
    mutating func finish(of path: String) throws(RecordingError) {
        if isFull { throw .tooLong(path: path, limit: limit, seconds: lastTime) }
        json.append(contentsOf: (json.isEmpty ? "[]" : "]").utf8)
    }
}
