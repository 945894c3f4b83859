import CInspectorPage
import ControlProtocol
import Layout
import WebServer

/// Answers the page's requests.
final class PageAnswers {
    private let session: any Session
    private var feeds: [WeakFeed] = []

    /// The connection that a feed is written to keeps it alive.
    private struct WeakFeed {
        weak var feed: EventFeed?
    }

    init(_ session: any Session) { self.session = session }

    /// Sends an event, a JSON object on one line, to the open pages.
    func send(_ line: String) {
        feeds.removeAll { $0.feed == nil }
        let isReplaced = Self.isReplaced(line)
        for feed in feeds { feed.feed?.add(line, isReplaced: isReplaced) }
    }

    /// Sends a comment to the pages that received nothing else.
    func sendPulse() {
        for feed in feeds { feed.feed?.addPulse() }
    }

    /// Responds to a request; an invalid request is refused.
    func answer(_ request: WebRequest) async -> WebResponse {
        if request.method == "GET", let file = PageFiles.file(at: request.path) {
            return WebResponse(file.type, .bytes(file.bytes))
        }
        do {
            return try await answer(request.method, request.path, request.body)
        } catch let error where error is MemberError || error is JSONError {
            return WebResponse(status: 400, reason: "the body is not a request for \(request.path): \(error)")
        } catch {
            return WebResponse(status: 409, reason: "\(error)")
        }
    }

    private func answer(_ method: String, _ path: String, _ body: [UInt8]) async throws -> WebResponse {
        switch (method, path) {
        case ("GET", "/api/overview"): return json(await session.overview())
        case ("GET", "/api/status"): return json(try await session.status())
        case ("GET", "/api/records"): return WebResponse("application/json", .bytes(session.records))
        case ("GET", "/api/events"): return stream()
        case ("GET", "/api/day"): return json(try await session.dayMap())
        case ("POST", "/api/recording"): return json(try await session.export(decode(body)))
        case ("POST", "/api/present"):
            try await session.sendSnapshot()
            return json([String: String]())
        case ("POST", "/api/hit"): return json(try await session.answer(decode(body)))
        case ("POST", "/api/trial"): return json(["yaml": try await session.yaml(for: decode(body))])
        case ("POST", "/api/command"):
            let command: Command = try decode(body)
            try await session.perform(try command.request())
            return json([String: String]())
        default: return WebResponse(status: 404, reason: "\(path) does not exist")
        }
    }

    private func stream() -> WebResponse {
        let feed = EventFeed { DroppedRecord(count: $0).text }
        feeds.append(WeakFeed(feed: feed))
        // This shows the page at once that the stream is open, before the first touch.
        feed.addPulse()
        return WebResponse("text/event-stream", .events(feed))
    }

    /// Whether an event is a record that contains only moves of touches from earlier records.
    static func isReplaced(_ text: String) -> Bool {
        guard let record = try? JSONTree(text.utf8), record["event"]?.string == "inspection",
            record["changes"]?.items?.isEmpty == true, record["pages"] == nil, record["views"] == nil,
            let touches = record["touches"]?.items
        else { return false }
        return !touches.isEmpty && touches.allSatisfy { $0["phase"]?.string == "moved" && $0["attachment"] == nil }
    }

    private func decode<Value: JSONReadable>(_ body: [UInt8]) throws -> Value {
        try JSONTree(body).decode()
    }

    private func json(_ value: some JSONWritable) -> WebResponse {
        WebResponse("application/json", .bytes(value.jsonLine))
    }

    /// A control socket request that a page may send.
    private nonisolated struct Command: JSONMessage {
        var command = "", view: String?, page: String?

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("command", "its name", \.command)
            visitor.member("view", "the id of its view", \.view)
            visitor.member("page", "the name of its page", \.page)
        }

        func request() throws -> ControlRequest {
            let kind = LayoutCommand.Kind(rawValue: command)
            let name = kind?.operand == .view && page == nil ? view : kind?.operand == .page && view == nil ? page : nil
            guard let kind, let name, let command = LayoutCommand(kind, name: name) else {
                throw SessionError(
                    "the command must be show, hide, enable, disable or toggle with a view, or go with a page")
            }
            return .command(command)
        }
    }
}

/// The files of the page, which are compiled into the program.
enum PageFiles {
    /// A file.
    nonisolated struct File: Sendable {
        var type: String
        var bytes: [UInt8]
    }

    /// The file at a path; nil if the page has no such file.
    static func file(at path: String) -> File? {
        var size = 0
        guard let start = inspector_page_file(path, &size) else { return nil }
        return File(type: type(of: path), bytes: Array(UnsafeBufferPointer(start: start, count: size)))
    }

    private static func type(of path: String) -> String {
        if path.hasSuffix(".css") { return "text/css; charset=utf-8" }
        return path.hasSuffix(".js") ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8"
    }
}
