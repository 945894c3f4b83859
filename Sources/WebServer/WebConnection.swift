import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A browser's connection: reads a request, writes its response, and waits for the next request.
///
/// Everything happens on the event loop of its channel. A second request before the response to the first closes the
/// connection: browsers do not send one, so requests are never queued.
final class WebConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// Waits for a request.
        case idle
        /// The headers were accepted; the body follows.
        case receiving(HTTPRequestHead, body: [UInt8])
        /// The task creates the response, and `close()` cancels it.
        case answering(Task<Void, Never>)
        /// A refusal was sent; further input is dropped until the client closes.
        case refused
    }

    let drain = RequestDrain()
    private let configuration: WebConfiguration
    private let table: ConnectionTable
    private var limits: WebLimits { configuration.limits }
    private var state = State.idle
    private var isInputClosed = false
    private var deadline: Scheduled<Void>?
    private var channel: (any Channel)?
    /// Why the client's user may not connect.
    private var userRefusal: RequestGuard.Refusal?
    /// The origin of another page that may read the responses.
    private var reader: String?

    init(_ configuration: WebConfiguration, table: ConnectionTable) {
        self.configuration = configuration
        self.table = table
    }

    /// Closes the connection and cancels the response's task.
    func close() { channel?.close(promise: nil) }

    func channelActive(context: ChannelHandlerContext) {
        channel = context.channel
        userRefusal = configuration.users?.refusal(of: context.channel)
        table.add(self)
        // Also when a WebSocket has replaced this handler.
        context.channel.closeFuture.assumeIsolated().whenComplete { _ in self.table.remove(self) }
        startDeadline()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .answering(let task) = state { task.cancel() }
        state = .refused
        deadline?.cancel()
        channel = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (.head(let head), .idle): receive(head)
        case (.head, .answering): close()
        case (.body(let bytes), .receiving(let head, var body)):
            // Removed from the state, so that appending does not copy.
            state = .idle
            body.append(contentsOf: bytes.readableBytesView)
            if body.count > limits.body {
                refuse(RequestGuard.Refusal(status: 413, reason: "the body must be at most \(limits.body) bytes long"))
            } else {
                state = .receiving(head, body: body)
            }
        case (.end, .receiving(let head, let body)): begin(head, body)
        default: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
        // A client may close its end after a request and still read the response.
        isInputClosed = true
        if case .answering = state { return }
        close()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The request for a WebSocket follows as an ordinary one, which is answered with the reason.
        if error is NIOWebSocketUpgradeError { return }
        switch state {
        case .idle, .receiving:
            if case .headerOverflow? = error as? HTTPParserError {
                let bounds = "\(limits.head) bytes and \(limits.fields) headers"
                refuse(.init(status: 431, reason: "the request line and headers must be at most \(bounds)"))
            } else if error is HTTPParserError {
                refuse(.init(status: 400, reason: "the request is not valid HTTP/1.1"))
            } else {
                close()
            }
        case .answering, .refused: close()
        }
    }

    private func receive(_ head: HTTPRequestHead) {
        let request = Self.request(head)
        if let refusal = refusal(of: request) {
            report(refusal, of: request)
            return refuse(refusal)
        }
        reader = configuration.requestGuard.foreignOrigin(of: request)
        if configuration.requestGuard.isProtected(request), !table.admit(self) {
            return refuse(
                .init(status: 503, reason: "\(limits.authenticatedConnections) connections are open; close a page"))
        }
        if isStream(request) {
            return refuse(.init(status: 426, reason: "the request must be for a WebSocket of version 13"))
        }
        state = .receiving(head, body: [])
    }

    private func refusal(of request: RequestGuard.Request) -> RequestGuard.Refusal? {
        userRefusal ?? configuration.requestGuard.refusal(of: request)
    }

    private func begin(_ head: HTTPRequestHead, _ body: [UInt8]) {
        guard let channel else { return }
        deadline?.cancel()
        let request = Self.request(head)
        let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let method = head.method == .HEAD ? "GET" : request.method
        let webRequest = WebRequest(method: method, path: request.path, body: body)
        state = .answering(Self.answer(webRequest, configuration.answer, on: channel, of: me, head))
    }

    private static func request(_ head: HTTPRequestHead) -> RequestGuard.Request {
        RequestGuard.Request(method: head.method.rawValue, path: path(head.uri)) { name in
            let values = head.headers[name]
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }

    /// The origin of an accepted request's page: the server's own if the browser sends none.
    private static func origin(of request: RequestGuard.Request) -> String {
        request.header("origin") ?? "http://\(request.header("host") ?? "")"
    }

    private func report(_ refusal: RequestGuard.Refusal, of request: RequestGuard.Request) {
        guard [401, 403, 421].contains(refusal.status) else { return }
        configuration.report?(request.header("origin") ?? "-", request.path, refusal.reason)
    }

    // MARK: WebSocket

    private func isStream(_ request: RequestGuard.Request) -> Bool {
        configuration.open != nil && request.path == configuration.requestGuard.access.streamPath
            && request.method == "GET"
    }

    /// The headers of the response that begins a WebSocket; nil if the request is not for one or is refused. It is then
    /// read like other requests, so the refusal is sent and reported there.
    func webSocketHeaders(for head: HTTPRequestHead) -> HTTPHeaders? {
        let request = Self.request(head)
        guard isStream(request), refusal(of: request) == nil, table.admit(self)
        else { return nil }
        // A browser closes the connection if none of the subprotocols that it offered is chosen (RFC 6455, 4.1).
        let offered = request.header("sec-websocket-protocol")?.split(separator: ",") ?? []
        let isOurs = offered.contains { $0.trimmingPrefix(while: \.isWhitespace) == "touchd" }
        return isOurs ? ["Sec-WebSocket-Protocol": "touchd"] : [:]
    }

    /// Continues the connection as a WebSocket, after the response.
    func beginWebSocket(_ head: HTTPRequestHead) throws {
        deadline?.cancel()
        guard let channel, let open = configuration.open else { return }
        let stream = PageStream(channel, origin: Self.origin(of: Self.request(head)))
        try channel.pipeline.syncOperations.addHandlers([
            ValidFrames(stream),
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024, maxAccumulatedFrameSize: limits.body),
            WebSocketConnection(stream),
        ])
        open(stream)
    }

    // MARK: Responses

    private static func answer(
        _ request: WebRequest, _ answer: @escaping WebConfiguration.Answer, on channel: any Channel,
        of me: NIOLoopBound<WebConnection>, _ head: HTTPRequestHead
    ) -> Task<Void, Never> {
        Task {
            var response = await answer(request)
            // Browsers ask every site for it, and log that it is missing.
            if response.status == 404, request.path == "/favicon.ico" {
                response = WebResponse("image/x-icon", [])
            }
            channel.eventLoop.execute { [response] in me.value.write(response, to: head) }
        }
    }

    /// Writes a response and waits for the next request as soon as the kernel has accepted the last byte. Not later,
    /// because the next request may follow at once; not earlier, because unread responses would pile up.
    private func write(_ response: WebResponse, to request: HTTPRequestHead) {
        guard let channel else { return }
        let size = response.body.count
        var (response, rest, headers) = (response, 0..<size, [(String, String)]())
        if case .file = response.body, request.method == .GET {
            headers = [("Accept-Ranges", "bytes")]
            // If-Range names a version, and files have none here.
            let range = request.headers.contains(name: "If-Range") ? nil : request.headers.first(name: "Range")
            switch ByteRange(range, of: size) {
            case .whole: break
            case .part(let part):
                (response.status, rest) = (206, part)
                headers.append(("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
            case .outside:
                response = WebResponse(status: 416, reason: "the file has \(size) bytes")
                rest = 0..<response.body.count
                headers.append(("Content-Range", "bytes */\(size)"))
            }
        }
        let head = head(response, length: rest.count, keepsAlive: request.isKeepAlive, headers)
        channel.write(head, promise: nil)
        write(response.body, request.method == .HEAD ? 0..<0 : rest, keepsAlive: request.isKeepAlive)
    }

    /// Writes the rest of a response in pieces: the next one when the kernel has accepted the one before.
    private func write(_ body: WebResponse.Body, _ rest: Range<Int>, keepsAlive: Bool) {
        guard let channel else { return }
        startDeadline()
        if rest.isEmpty {
            channel.writeAndFlush(HTTPServerResponsePart.end(nil)).assumeIsolated().whenSuccess {
                self.answered(keepsAlive: keepsAlive)
            }
        } else if let piece = body.piece(rest.prefix(limits.piece)) {
            let part = HTTPServerResponsePart.body(.byteBuffer(piece)), rest = rest.dropFirst(piece.readableBytes)
            channel.writeAndFlush(part).assumeIsolated().whenSuccess {
                // Other connections come in between, and the stack does not grow.
                channel.eventLoop.assumeIsolated().execute { self.write(body, rest, keepsAlive: keepsAlive) }
            }
        } else {
            // The client notices that something is missing.
            close()
        }
    }

    private func answered(keepsAlive: Bool) {
        guard case .answering = state else { return }
        if isInputClosed { return close() }
        guard keepsAlive else {
            state = .refused
            return finish()
        }
        state = .idle
        startDeadline()
    }

    private func refuse(_ refusal: RequestGuard.Refusal) {
        state = .refused
        guard let channel else { return }
        let response = WebResponse(status: refusal.status, reason: refusal.reason)
        channel.write(head(response, length: response.body.count, keepsAlive: false), promise: nil)
        if let reason = response.body.piece(0..<response.body.count) {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(reason)), promise: nil)
        }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        finish()
    }

    /// Closes this end, and then the connection when the client has read the response or the timeout has passed.
    private func finish() {
        drain.begin(limit: limits.drained)
        channel?.close(mode: .output, promise: nil)
        startDeadline()
    }

    private func startDeadline() {
        deadline?.cancel()
        deadline = channel?.eventLoop.assumeIsolated().scheduleTask(in: .seconds(limits.timeout)) { [weak self] in
            self?.close()
        }
    }

    /// The path without the query, not decoded.
    private static func path(_ uri: String) -> String { String(uri.prefix { $0 != "?" }) }

    private func head(
        _ response: WebResponse, length: Int, keepsAlive: Bool, _ others: [(String, String)] = []
    ) -> HTTPServerResponsePart {
        var headers = HTTPHeaders(response.headers + others)
        headers.add(name: "Content-Type", value: response.type)
        headers.add(name: "Content-Length", value: "\(length)")
        headers.add(name: "Connection", value: keepsAlive ? "keep-alive" : "close")
        // Lets the page of another allowed origin read the response (Fetch, "CORS protocol").
        if let reader { headers.add(contentsOf: ["Access-Control-Allow-Origin": reader, "Vary": "Origin"]) }
        return .head(
            HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers))
    }
}

/// The open connections on a server's event loop.
///
// `@unchecked Sendable` is safe: every call is made on that loop, because only its connections use the table.
final class ConnectionTable: @unchecked Sendable {
    private let limits: WebLimits
    /// The connections that have sent no accepted request for data, oldest first.
    private var unauthenticated: [WebConnection] = []
    private var authenticated: [WebConnection] = []

    init(_ limits: WebLimits) { self.limits = limits }

    /// Adds a connection, and closes the oldest one without an accepted request for data if there are too many.
    func add(_ connection: WebConnection) {
        unauthenticated.append(connection)
        if unauthenticated.count > limits.unauthenticatedConnections { unauthenticated.removeFirst().close() }
    }

    /// Counts a connection as a member; returns false if there are too many.
    fileprivate func admit(_ connection: WebConnection) -> Bool {
        if authenticated.contains(where: { $0 === connection }) { return true }
        guard authenticated.count < limits.authenticatedConnections else { return false }
        unauthenticated.removeAll { $0 === connection }
        authenticated.append(connection)
        return true
    }

    /// Removes a closed connection.
    func remove(_ connection: WebConnection) {
        unauthenticated.removeAll { $0 === connection }
        authenticated.removeAll { $0 === connection }
    }
}
