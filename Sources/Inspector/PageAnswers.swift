import ControlProtocol
import FlyingFox
import FlyingSocks
import Foundation
import Layout

/// Answers what the page asks.
final class PageAnswers {
    private let session: any Session
    private let guardian: RequestGuard
    private var feeds: [WeakFeed] = []

    /// A feed lives as long as the connection that it is written to.
    private struct WeakFeed {
        weak var feed: PageFeed?
    }

    init(_ session: any Session, guardian: RequestGuard) {
        self.session = session
        self.guardian = guardian
    }

    /// Tells the pages that are open an event, a JSON object in a line.
    func tell(_ line: String) {
        feeds.removeAll { $0.feed == nil }
        for feed in feeds { feed.feed?.add(line) }
    }

    /// Writes nothing to the pages that are told nothing anyhow.
    func tellPulse() {
        for feed in feeds { feed.feed?.addPulse() }
    }

    /// Answers a request, or says why not.
    func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (method, path) = (request.method.rawValue, request.path)
        let asked = RequestGuard.Request(method: method, path: path) { request.headers[HTTPHeader($0)] }
        if let refusal = guardian.refusal(of: asked) {
            var response = Self.refuse(refusal.status, refusal.reason)
            // What was not read of its body is no next request.
            response.headers[.connection] = "close"
            return response
        }
        if method == "GET", let file = PageFiles.file(at: path) {
            return Self.response(200, file.type, HTTPBodySequence(data: Data(file.bytes)))
        }
        do {
            return try await answer(method, path, method == "POST" ? request.bodyData : Data())
        } catch let error as DecodingError {
            return Self.refuse(400, "this is not what \(path) is asked with: \(error)")
        } catch {
            return Self.refuse(409, "\(error)")
        }
    }

    private func answer(_ method: String, _ path: String, _ body: Data) async throws -> HTTPResponse {
        switch (method, path) {
        case ("GET", "/api/overview"): return try json(await session.overview())
        case ("GET", "/api/status"): return try json(await session.status())
        case ("GET", "/api/records"): return try json(session.records)
        case ("GET", "/api/events"): return stream()
        case ("GET", "/api/day"): return try json(await session.dayMap())
        case ("POST", "/api/recording"): return try json(await session.export(decode(body)))
        case ("POST", "/api/present"):
            try await session.tellAnew()
            return try json([String: String]())
        case ("POST", "/api/hit"): return try json(await session.answer(decode(body)))
        case ("POST", "/api/trial"): return try json(["yaml": await session.yaml(for: decode(body))])
        case ("POST", "/api/command"):
            let command: Command = try decode(body)
            try await session.perform(try command.request())
            return try json([String: String]())
        default: return Self.refuse(404, "there is nothing at \(path)")
        }
    }

    private func stream() -> HTTPResponse {
        let feed = PageFeed()
        feeds.append(WeakFeed(feed: feed))
        // So that the headers are not all that comes until somebody touches the screen.
        feed.addPulse()
        return Self.response(200, "text/event-stream", HTTPBodySequence(from: PageFeedBody(feed: feed)))
    }

    private func decode<Value: Decodable>(_ body: Data) throws -> Value {
        try JSONDecoder().decode(Value.self, from: body)
    }

    private func json(_ value: some Encodable) throws -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Self.response(200, "application/json", HTTPBodySequence(data: try encoder.encode(value)))
    }

    /// What a page can have a running touchd do; not everything that the socket can.
    private struct Command: Decodable {
        var command: String
        var view, page: String?

        func request() throws -> ControlRequest {
            let word = LayoutCommand.Word(rawValue: command)
            let name = word?.operand == .view && page == nil ? view : word?.operand == .page && view == nil ? page : nil
            guard let word, let name, let command = LayoutCommand(word, name: name) else {
                throw SessionError("there is show, hide, enable, disable and toggle with a view, and go with a page")
            }
            return .command(command)
        }
    }

    private static func refuse(_ status: Int, _ reason: String) -> HTTPResponse {
        response(status, "text/plain; charset=utf-8", HTTPBodySequence(data: Data("\(reason)\n".utf8)))
    }

    private static func response(_ status: Int, _ type: String, _ body: HTTPBodySequence) -> HTTPResponse {
        var headers = HTTPHeaders()
        for (name, value) in PageFiles.headers { headers[HTTPHeader(name)] = value }
        headers[.contentType] = type
        let phrase = phrases[status] ?? ""
        return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: phrase), headers: headers, body: body)
    }

    /// RFC 9110, section 15.
    private static let phrases = [
        200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 409: "Conflict", 413: "Content Too Large", 415: "Unsupported Media Type",
        421: "Misdirected Request",
    ]
}
