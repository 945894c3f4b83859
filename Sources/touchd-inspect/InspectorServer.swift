import CPages
import ControlProtocol
import EventLoop
import Foundation
import WebServer

/// Serves the page to browsers.
///
/// Responses are created on the main actor; `WebServer` reads requests and writes responses on its own thread.
@MainActor
final class InspectorServer {
    private let address: ListenAddress
    private let answers: PageAnswers
    private let server: WebServer

    /// Creates a server that does not listen yet.
    init(_ session: any Session, address: ListenAddress, token: AccessToken) {
        self.address = address
        let answers = PageAnswers(session)
        self.answers = answers
        server = WebServer(
            at: .address(address), access: .ownPage(token),
            open: { stream in
                let feed = EventFeed(stream)
                Task { @MainActor in answers.open(stream, feed) }
            },
            answer: { await answers.answer($0) })
    }

    /// Sends an event, a JSON object on one line, to the open pages.
    func send(_ event: String) { answers.send(event) }

    /// Listens and answers until the process ends. Only its owner can connect to a local socket.
    ///
    /// - Returns: The port; 0 for a local socket.
    func listen() async throws(InspectorServerError) -> UInt16 {
        do {
            if case .unix(let path) = address { try LocalAddress.makeRoom(at: path) }
            return try await server.listen()
        } catch {
            let reason =
                switch error {
                case ListeningSocketError.isTaken: "another process listens there"
                case ListeningSocketError.isNoSocket: "the file there is not a socket and is not replaced"
                case ListeningSocketError.isNoAddress:
                    "a socket's path must be at most \(LocalAddress.lengths.upperBound) bytes long"
                case ListeningSocketError.refused(_, let error): error.reason
                default: "\(error)"
                }
            throw InspectorServerError(address: address, reason: reason)
        }
    }

    /// Removes the local socket, if the server listened at one.
    func removeSocket() {
        if case .unix(let path) = address { unlink(path) }
    }
}

/// Why an inspector cannot listen.
struct InspectorServerError: Error, CustomStringConvertible {
    let address: ListenAddress
    let reason: String

    /// The error and how to fix it.
    var description: String {
        "cannot listen at \(address.text): \(reason); choose another address with --listen"
    }
}

/// Answers the page's requests.
@MainActor
final class PageAnswers {
    private let session: any Session
    private var pages: [(stream: PageStream, feed: EventFeed)] = []

    init(_ session: any Session) { self.session = session }

    /// Sends the next events to a page, too; the first says that it misses none from then on.
    func open(_ stream: PageStream, _ feed: EventFeed) {
        pages.removeAll { !$0.stream.isOpen }
        pages.append((stream, feed))
        stream.eventLoop.execute { feed.add(#"{"event": "opened"}"#) }
    }

    /// Sends an event, a JSON object on one line, to the open pages.
    func send(_ line: String) {
        pages.removeAll { !$0.stream.isOpen }
        let isReplaced = Self.isReplaced(line)
        for (stream, feed) in pages { stream.eventLoop.execute { feed.add(line, isReplaced: isReplaced) } }
    }

    func answer(_ request: WebRequest) async -> WebResponse {
        if request.method == "GET", let file = file(at: request.path) { return file }
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
        case ("GET", "/api/records"): return WebResponse("application/json", session.records)
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

    /// The file of the page at a path, which is compiled into the program; nil if the page has no such file.
    private func file(at path: String) -> WebResponse? {
        var size = 0
        guard let start = inspector_page_file(path, &size) else { return nil }
        let type = path.hasSuffix(".css") ? "text/css" : path.hasSuffix(".js") ? "text/javascript" : "text/html"
        return WebResponse("\(type); charset=utf-8", Array(UnsafeBufferPointer(start: start, count: size)))
    }

    /// Whether an event is a record that contains only moves of touches from earlier records.
    static func isReplaced(_ text: String) -> Bool {
        guard let record = try? JSONTree(text.utf8), record["event"]?.string == "inspection",
            record["changes"]?.items?.isEmpty == true, record["pages"] == nil, record["views"] == nil,
            let touches = record["touches"]?.items
        else { return false }
        let moved = TouchRecord.Phase.moved.rawValue
        return !touches.isEmpty && touches.allSatisfy { $0["phase"]?.string == moved && $0["attachment"] == nil }
    }

    private func decode<Value: JSONReadable>(_ body: [UInt8]) throws -> Value {
        try JSONTree(body).decode()
    }

    private func json(_ value: some JSONWritable) -> WebResponse {
        WebResponse("application/json", value.jsonLine)
    }

    /// A control socket request that a page may send.
    private struct Command: JSONMessage {
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
