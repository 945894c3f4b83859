import ControlProtocol
import Foundation
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
            return try await answer(request.method, request.path, Data(request.body))
        } catch let error as DecodingError {
            return WebResponse(status: 400, reason: "the body is not a request for \(request.path): \(error)")
        } catch {
            return WebResponse(status: 409, reason: "\(error)")
        }
    }

    private func answer(_ method: String, _ path: String, _ body: Data) async throws -> WebResponse {
        switch (method, path) {
        case ("GET", "/api/overview"): return try json(await session.overview())
        case ("GET", "/api/status"): return try json(await session.status())
        case ("GET", "/api/records"): return WebResponse("application/json", .bytes(session.records))
        case ("GET", "/api/events"): return stream()
        case ("GET", "/api/day"): return try json(await session.dayMap())
        case ("POST", "/api/recording"): return try json(await session.export(decode(body)))
        case ("POST", "/api/present"):
            try await session.sendSnapshot()
            return try json([String: String]())
        case ("POST", "/api/hit"): return try json(await session.answer(decode(body)))
        case ("POST", "/api/trial"): return try json(["yaml": await session.yaml(for: decode(body))])
        case ("POST", "/api/command"):
            let command: Command = try decode(body)
            try await session.perform(try command.request())
            return try json([String: String]())
        default: return WebResponse(status: 404, reason: "\(path) does not exist")
        }
    }

    private func stream() -> WebResponse {
        let feed = EventFeed()
        feeds.append(WeakFeed(feed: feed))
        // This shows the page at once that the stream is open, before the first touch.
        feed.addPulse()
        return WebResponse("text/event-stream", .events(feed))
    }

    /// Whether an event is a record that contains only moves of touches from earlier records. touchd writes the text
    /// without blanks, so a comparison is enough and nothing is parsed.
    static func isReplaced(_ text: String) -> Bool {
        text.contains(#""event":"inspection""#) && text.contains(#""changes":[]"#)
            && text.contains(#""phase":"moved""#) && !text.contains(#""phase":"began""#)
            && !text.contains(#""phase":"ended""#) && !text.contains(#""phase":"cancelled""#)
            && !text.contains(#""attachment""#) && !text.contains(#""pages""#) && !text.contains(#""views""#)
    }

    private func decode<Value: Decodable>(_ body: Data) throws -> Value {
        try JSONDecoder().decode(Value.self, from: body)
    }

    private func json(_ value: some Encodable) throws -> WebResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return WebResponse("application/json", .bytes(Array(try encoder.encode(value))))
    }

    /// A control socket request that a page may send.
    private struct Command: Decodable {
        var command: String
        var view, page: String?

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
