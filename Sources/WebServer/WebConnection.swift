import NIOCore
import NIOHTTP1

/// A browser's connection: reads a request, writes its response, and waits for the next request.
///
/// Everything happens on the event loop of its channel. A second request before the response to the first closes the
/// connection: browsers do not send one, so requests are never queued.
final class WebConnection: ChannelInboundHandler {
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
    private let requestGuard: RequestGuard
    private let limits: WebLimits
    private let table: ConnectionTable
    private let answer: WebServer.Answer
    private var state = State.idle
    private var isStreaming = false, isInputClosed = false
    private var deadline: Scheduled<Void>?
    private var channel: (any Channel)?

    init(requestGuard: RequestGuard, limits: WebLimits, table: ConnectionTable, answer: @escaping WebServer.Answer) {
        self.requestGuard = requestGuard
        self.limits = limits
        self.table = table
        self.answer = answer
    }

    /// Closes the connection and cancels the response's task.
    func close() { channel?.close(promise: nil) }

    func channelActive(context: ChannelHandlerContext) {
        channel = context.channel
        table.add(self)
        startDeadline()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .answering(let task) = state { task.cancel() }
        state = .refused
        deadline?.cancel()
        table.remove(self)
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
        // A client may close its end after a request and still read the response; an event stream ends then.
        isInputClosed = true
        if case .answering = state, !isStreaming { return }
        close()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
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
        let request = RequestGuard.Request(method: head.method.rawValue, path: Self.path(head.uri)) { name in
            let values = head.headers[name]
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        if let refusal = requestGuard.refusal(of: request) { return refuse(refusal) }
        if requestGuard.needsToken(request), !table.admit(self) {
            return refuse(
                .init(status: 503, reason: "\(limits.authenticatedConnections) connections are open; close a page"))
        }
        state = .receiving(head, body: [])
    }

    private func begin(_ head: HTTPRequestHead, _ body: [UInt8]) {
        guard let channel else { return }
        deadline?.cancel()
        let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let request = WebRequest(method: head.method.rawValue, path: Self.path(head.uri), body: body)
        state = .answering(Self.answer(request, answer, on: channel, of: me, keepsAlive: head.isKeepAlive))
    }

    private static func answer(
        _ request: WebRequest, _ answer: @escaping WebServer.Answer, on channel: any Channel,
        of me: NIOLoopBound<WebConnection>, keepsAlive: Bool
    ) -> Task<Void, Never> {
        Task {
            let response = await answer(request)
            do {
                try await send(response, to: channel, of: me, keepsAlive: keepsAlive)
            } catch {
                // The client is gone.
                channel.close(promise: nil)
            }
        }
    }

    /// Writes a response as fast as the client reads it.
    private static func send(
        _ response: WebResponse, to channel: any Channel, of me: NIOLoopBound<WebConnection>, keepsAlive: Bool
    ) async throws {
        switch response.body {
        case .bytes(let bytes):
            channel.eventLoop.execute { me.value.write(response, bytes, keepsAlive: keepsAlive) }
        case .events(let feed):
            channel.eventLoop.execute { me.value.isStreaming = true }
            try await channel.writeAndFlush(head(response, length: nil, keepsAlive: true)).get()
            while !Task.isCancelled { try await channel.writeAndFlush(body(await feed.next())).get() }
        }
    }

    /// Writes a response and waits for the next request as soon as the kernel has accepted the last byte. Not later,
    /// because the next request may follow at once; not earlier, because unread responses would pile up.
    private func write(_ response: WebResponse, _ bytes: [UInt8], keepsAlive: Bool) {
        guard let channel else { return }
        startDeadline()
        channel.write(Self.head(response, length: bytes.count, keepsAlive: keepsAlive), promise: nil)
        channel.write(Self.body(bytes), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).assumeIsolated().whenSuccess {
            self.answered(keepsAlive: keepsAlive)
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
        if case .bytes(let bytes) = response.body {
            channel.write(Self.head(response, length: bytes.count, keepsAlive: false), promise: nil)
            channel.write(Self.body(bytes), promise: nil)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }
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

    private static func head(_ response: WebResponse, length: Int?, keepsAlive: Bool) -> HTTPServerResponsePart {
        var headers = HTTPHeaders(WebResponse.headers)
        headers.add(name: "Content-Type", value: response.type)
        if let length { headers.add(name: "Content-Length", value: "\(length)") }
        headers.add(name: "Connection", value: keepsAlive ? "keep-alive" : "close")
        return .head(
            HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers))
    }

    private static func body(_ bytes: [UInt8]) -> HTTPServerResponsePart {
        .body(.byteBuffer(ByteBuffer(bytes: bytes)))
    }
}
