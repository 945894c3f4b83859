import ControlProtocol
import Foundation
import Handlers
import Layout
import Reports

/// A session with a running touchd, over its control socket.
///
/// It uses one connection for events, on its own thread because it blocks, and one connection per request.
@MainActor
final class LiveSession: Session {
    /// Called on the main actor with each event, a JSON object on one line.
    var onEvent: ((String) -> Void)?
    let records = Array("[]".utf8)

    private let path: String
    private var watcher: Thread?
    private var seen = SeenTouches()
    /// The layout that touchd uses, as it was read before its file was changed.
    private var used: LayoutDocument?
    private static let requests = DispatchQueue(label: "inspector.requests")

    /// Creates a session with the touchd that listens at a path. It connects on the first request or `start()`, and
    /// reconnects when touchd restarts.
    init(path: String) { self.path = path }

    /// Subscribes to events.
    func start() {
        guard watcher == nil else { return }
        let path = path
        // Captured weakly, because the thread lives as long as the process.
        let send: @Sendable ([UInt8]) -> Void = { [weak self] line in
            DispatchQueue.main.async { self?.received(String(decoding: line, as: UTF8.self)) }
        }
        let thread = Thread { LiveSession.watch(path, send) }
        thread.name = "control socket"
        thread.start()
        watcher = thread
    }

    /// Reads events for as long as the process lives.
    private nonisolated static func watch(_ path: String, _ send: ([UInt8]) -> Void) {
        while true {
            do {
                let connection = try ControlConnection(path: path)
                try connection.send(.subscribe(to: topics, moves: true))
                send(JSONWriter.object { $0.member("event", "connected") })
                while true { send(try connection.nextEvent()) }
            } catch {
                send(
                    JSONWriter.object {
                        $0.member("event", "disconnected")
                        $0.member("reason", "\(error)")
                    })
            }
            // touchd may be restarting.
            sleep(1)
        }
    }

    /// The topics of the page: touches, and the events that they cause.
    private nonisolated static let topics: ControlTopic = [
        .inspection, .pages, .devices, .gestures, .controls, .idle, .published,
    ]

    private func received(_ line: String) {
        guard let event = try? JSONTree(line.utf8) else { return }
        let name = event["event"]?.string
        // The page lists what a gesture came to, not each of its changes.
        if name == "gesture", event["trigger"]?.string == GestureRecord.Trigger.changed.rawValue { return }
        if name == "inspection" { remember(event) }
        if name == "page", let page = event["page"]?.string { seen.show(page: page) }
        onEvent?(line)
    }

    /// Remembers touches, in case the journal cannot be read.
    private func remember(_ event: JSONTree) {
        let moved = TouchRecord.Phase.moved.rawValue
        let isMove = event["touches"]?.items?.allSatisfy { $0["phase"]?.string == moved } == true
        guard !isMove || event["pages"] != nil, let record = try? event.decode(InspectionRecord.self) else { return }
        seen.add(record, date: Date.now.timeIntervalSince1970)
    }

    func overview() async -> Overview {
        var overview = Overview(mode: "live", source: path)
        do {
            overview.status = try await status()
            overview.devices = try await ask(.devices)
            let state: LayoutState = try await ask(.layout)
            (overview.screens, overview.views, overview.file) = (state.screens, state.views, state.layout)
            if let refusal = state.refusal {
                overview.problems.append("The layout file was refused, so the previous layout stays in use: \(refusal)")
            }
            guard let file = state.layout else { return overview }
            let document = try await document(of: state)
            overview.layout = InspectedLayout(document)
            if let hash = overview.status?.layoutHash, hash != document.fileHash {
                overview.problems.append("\(file) has changed since touchd read it; run: touchd reload.")
            }
        } catch {
            overview.problems.append("\(error)")
        }
        return overview
    }

    func status() async throws -> StatusReport? { try await ask(.status) as StatusReport }

    func sendSnapshot() async throws {
        // touchd then sends the current state to all subscribers, so the subscribed connection receives it.
        try await send(.subscribe(to: .inspection, moves: false))
    }

    func answer(_ question: WhatIf) async throws -> HitReport {
        let state: LayoutState = try await ask(.layout), document: LayoutDocument
        do {
            document = try await self.document(of: state)
        } catch {
            // touchd can answer for the page that it shows.
            guard question.trial?.changes.isEmpty ?? true else { throw error }
            let report: HitReport = try await ask(.hit(x: question.x, y: question.y, screen: question.screen))
            guard question.page == nil || question.page == report.page else { throw error }
            return report
        }
        guard let report = try question.answer(by: document, state: state.views) else {
            throw SessionError("\(document.unknown(screen: question.screen ?? ""))")
        }
        return report
    }

    func yaml(for trial: Trial) async throws -> String {
        let state: LayoutState = try await ask(.layout)
        return trial.yaml(for: try await document(of: state))
    }

    func dayMap() async throws -> DayMap {
        let state: LayoutState = try await ask(.layout)
        let document = try await document(of: state), unit = DayMapJournal.unit(ofSocket: path), seen = seen.touches
        return await withCheckedContinuation { continuation in
            // Reading a day's journal takes a second or two and must not delay other requests.
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: DayMap(of: unit, document, seen: seen))
            }
        }
    }

    func export(_ question: RecordingExport.Question) async throws -> RecordingExport {
        try await withConnection { connection in
            var text = ""
            try connection.recording(of: question.source) { text += $0 }
            let file = question.source.map { "touches-\($0).evemu" } ?? "touches.evemu"
            return RecordingExport(file: file, text: text)
        }
    }

    func perform(_ request: ControlRequest) async throws { try await send(request) }

    /// The layout, with the views that programs have published in its slots.
    private func document(of state: LayoutState) async throws -> LayoutDocument {
        guard let file = state.layout else { throw SessionError("the running touchd has no layout") }
        var document = try layout(of: file, hash: try await status()?.layoutHash)
        for slot in state.slots where slot.views > 0 {
            // A slot that was emptied or changed since is drawn at the next report of its change.
            let publication: LayoutState.Publication = try await ask(.slot(slot.slot))
            guard let publisher = publication.publisher, let views = publication.views else { continue }
            try? document.publish(
                views, frames: publication.frames.mapValues { CGRect($0) }, in: slot.slot, by: publisher)
        }
        return document
    }

    /// The layout of a file whose hash touchd says; as it is in the file only if it was not read while it had that hash.
    private func layout(of file: String, hash: String?) throws -> LayoutDocument {
        if let used, used.fileHash == hash { return used }
        do {
            // A program's own handlers are not known here, so unknown names are accepted.
            let document = try LayoutDocument(path: file, handlers: HandlerRegistry.builtinNames)
            if document.fileHash == hash { used = document }
            return document
        } catch {
            throw SessionError(
                "The views are not shown, because the file with the layout that touchd uses has an error now: "
                    + "\(error); correct it, then run: touchd reload")
        }
    }

    private func ask<Answer: JSONReadable & Sendable>(_ request: ControlRequest) async throws -> Answer {
        try await withConnection { try $0.answer(to: request) }
    }

    private func send(_ request: ControlRequest) async throws {
        try await withConnection { _ = try $0.send(request) }
    }

    /// Runs a closure with a connection on the queue of requests, because it blocks.
    private func withConnection<Answer: Sendable>(
        _ body: @escaping @Sendable (ControlConnection) throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { [path] continuation in
            Self.requests.async {
                continuation.resume(with: Result { try body(ControlConnection(path: path)) })
            }
        }
    }
}

/// Today's touches in the journal, read with journalctl as the user who runs the inspector.
enum DayMapJournal {
    /// The timeout for journalctl in seconds; a day of a busy kiosk takes one or two.
    static let timeout = 30.0

    /// The unit of the service with a control socket; nil for a touchd that was started by hand.
    static func unit(ofSocket path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "run", parts[3] == "control" else { return nil }
        if parts[2] == "touchd" { return "touchd.service" }
        let instance = parts[2].dropFirst("touchd-".count)
        guard parts[2].hasPrefix("touchd-"), !instance.isEmpty else { return nil }
        return "touchd@\(instance).service"
    }

    /// The command that exports today's touches of a unit: when they began and ended.
    static func command(unit: String) -> [String] {
        let fields = [
            "MESSAGE_ID", "TOUCHD_TOUCH", "TOUCHD_VIEW", "TOUCHD_PAGE", "TOUCHD_SCREEN", "TOUCHD_X", "TOUCHD_Y",
            "TOUCHD_TIME", "_BOOT_ID", "_PID", "_HOSTNAME", "_MACHINE_ID",
        ]
        let touches: [MessageID] = [.touchBegan, .touchEnded, .touchCancelled]
        return [
            "/usr/bin/journalctl", "--quiet", "--no-pager", "--unit=\(unit)", "--since=today", "--output=export",
            "--output-fields=\(fields.joined(separator: ","))",
        ] + touches.map { "MESSAGE_ID=\($0.rawValue)" }
    }

    /// Counts the touches in the exported journal that a command writes.
    ///
    /// - Throws: A `SessionError` with the command's error message, or a `JournalError`.
    static func read(_ command: [String], into tally: inout DayMapTally) throws {
        let process = Process(), output = Pipe(), errors = Pipe()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch { throw SessionError("\(command[0]) cannot be started: \(error)") }
        let deadline = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout, execute: deadline)
        defer { deadline.cancel() }
        do {
            var reader = try JournalRecordReader(path: "/dev/fd/\(output.fileHandleForReading.fileDescriptor)")
            while let record = try reader.next() { tally.add(record) }
        } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
        let complaint = String(decoding: (try? errors.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let words = complaint.trimmingCharacters(in: .whitespacesAndNewlines)
            throw SessionError(words.isEmpty ? "\(command[0]) failed" : words)
        }
    }
}

extension DayMap {
    /// Today's touches in a unit's journal; if the journal is empty or unreadable, the touches that were seen.
    ///
    /// Blocks until journalctl is done.
    init(of unit: String?, _ document: LayoutDocument, seen: [SeenTouch]) {
        var reason = "this touchd was started by hand, so the journal has no unit with its touches"
        if let unit {
            var tally = DayMapTally(document)
            do {
                try DayMapJournal.read(DayMapJournal.command(unit: unit), into: &tally)
                if tally.touches > 0 {
                    self = tally.map(.journal)
                    return
                }
                reason =
                    "the journal of \(unit) has no touch of today, or this user may not read it; use sudo, or the group adm or "
                    + "systemd-journal"
            } catch {
                reason = "the journal of \(unit) cannot be read: \(error)"
            }
        }
        var tally = DayMapTally(document)
        for touch in seen { tally.add(touch) }
        self = tally.map(.opened, reason: reason)
    }
}
