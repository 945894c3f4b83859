import ControlProtocol
import Foundation
import Handlers
import Layout

/// A session with a running touchd, over its control socket.
///
/// It uses one connection for events, on its own thread because it blocks, and one connection per request.
package final class LiveSession: Session {
    /// Called on the main actor with each event, a JSON object on one line.
    package var onEvent: ((String) -> Void)?
    let records = Array("[]".utf8)

    private let path: String
    private var watcher: Thread?
    private var seen = SeenTouches()
    private static let requests = DispatchQueue(label: "inspector.requests")

    /// Creates a session with the touchd that listens at a path. It connects on the first request or `start()`, and
    /// reconnects when touchd restarts.
    package init(path: String) { self.path = path }

    /// Subscribes to events.
    package func start() {
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
        if name == "gesture", event["trigger"]?.string == "changed" { return }
        if name == "inspection" { remember(event) }
        if name == "page", let page = event["page"]?.string { seen.show(page: page) }
        onEvent?(line)
    }

    /// Remembers touches, in case the journal cannot be read.
    private func remember(_ event: JSONTree) {
        let isMove = event["touches"]?.items?.allSatisfy { $0["phase"]?.string == "moved" } == true
        guard !isMove || event["pages"] != nil, let record = try? event.decode(InspectionRecord.self) else { return }
        seen.add(record, date: Date.now.timeIntervalSince1970)
    }

    func overview() async -> Overview {
        var overview = Overview(mode: "live", source: path)
        do {
            overview.status = try await status()
            overview.devices = try await ask(.devices, [DeviceState].self)
            let state = try await ask(.layout, LayoutState.self)
            (overview.screens, overview.views, overview.file) = (state.screens, state.views, state.layout)
            if let refusal = state.refusal {
                overview.problems.append("The layout file was refused, so the previous layout stays in use: \(refusal)")
            }
            if state.layout != nil { overview.layout = InspectedLayout(try await document(of: state)) }
        } catch {
            overview.problems.append("\(error)")
        }
        return overview
    }

    func status() async throws -> StatusReport? { try await ask(.status, StatusReport.self) }

    func sendSnapshot() async throws {
        // touchd then sends the current state to all subscribers, so the subscribed connection receives it.
        _ = try await send(.subscribe(to: .inspection, moves: false))
    }

    func answer(_ question: WhatIf) async throws -> HitReport {
        let state = try await ask(.layout, LayoutState.self)
        guard let report = try question.answer(by: try await document(of: state), state: state.views) else {
            throw SessionError("the layout has no screen '\(question.screen ?? "")'")
        }
        return report
    }

    func yaml(for trial: Trial) async throws -> String {
        let state = try await ask(.layout, LayoutState.self)
        return trial.yaml(for: try await document(of: state))
    }

    func dayMap() async throws -> DayMap {
        let state = try await ask(.layout, LayoutState.self)
        let document = try await document(of: state), unit = DayMapJournal.unit(ofSocket: path), seen = seen.touches
        return await withCheckedContinuation { continuation in
            // Reading a day's journal takes a second or two and must not delay other requests.
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: DayMap(of: unit, document, seen: seen))
            }
        }
    }

    func export(_ question: RecordingExport.Question) async throws -> RecordingExport {
        try await withConnection { try RecordingExport(of: question.source, from: $0) }
    }

    func perform(_ request: ControlRequest) async throws { _ = try await send(request) }

    /// The layout's file, with the views that programs have published in its slots.
    private func document(of state: LayoutState) async throws -> LayoutDocument {
        guard let file = state.layout else { throw SessionError("the running touchd has no layout") }
        // A program's own handlers are not known here, so unknown names are accepted.
        var document = try LayoutDocument(path: file, handlers: HandlerRegistry.builtinNames)
        for slot in state.slots where slot.views > 0 {
            // A slot that was emptied or changed since is drawn at the next report of its change.
            let publication = try await ask(.slot(slot.slot), LayoutState.Publication.self)
            guard let publisher = publication.publisher, let views = publication.views else { continue }
            try? document.publish(
                views, frames: publication.frames.mapValues { CGRect($0) }, in: slot.slot, by: publisher)
        }
        return document
    }

    private func ask<Answer: JSONReadable & Sendable>(_ request: ControlRequest, _ type: Answer.Type) async throws
        -> Answer
    {
        try await send(request).decode(type)
    }

    private func send(_ request: ControlRequest) async throws -> JSONTree {
        try await withConnection { try $0.send(request) }
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
