import Basics
import ControlProtocol
import EventLoop
import NIOCore
import NIOPosix
import WebServer

/// Connects one page's stream with one control connection, so that the page's views live as long as its stream.
///
/// Neither side is read faster than the other one reads: nothing is queued here beyond one buffer of each socket. touchd
/// drops events of a client that does not read, and reports their number.
///
// `@unchecked Sendable` is safe: every call is made on the event loop of the stream.
final class PageBridge: @unchecked Sendable {
    private let stream: PageStream
    private let control: any Channel
    private var budget = PageBridge.budget
    /// Whether the next request must wait for the budget, or for touchd to read.
    private var isThrottled = false, isReading = true
    private var isOver = false

    /// Connects a page's stream to the touchd that listens at a path.
    static func open(_ stream: PageStream, path: String) {
        stream.setReading(false)
        let connection = ClientBootstrap(group: stream.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()))
                }
            }
            .connect(unixDomainSocketPath: path)
        connection.assumeIsolated().whenComplete { result in
            // touchd is not running, or has too many clients; the page connects again.
            guard case .success(let control) = result else { return stream.close(status: tryAgainLater) }
            let bridge = PageBridge(stream, control)
            do {
                try control.pipeline.syncOperations.addHandler(ControlEvents(bridge))
            } catch {
                return bridge.end()
            }
            control.read()
            stream.setReading(true)
        }
    }

    /// RFC 6455's registry, "Try Again Later".
    private static let tryAgainLater: UInt16 = 1013
    /// RFC 6455's registry, "Service Restart".
    private static let serviceRestart: UInt16 = 1012

    private init(_ stream: PageStream, _ control: any Channel) {
        self.stream = stream
        self.control = control
        stream.onMessage = { [weak self] text in self?.receive(text) }
        stream.onWritable = { [weak self] in
            self?.readControl()
            self?.readPage()
        }
        stream.onClose = { [control] in control.close(promise: nil) }
    }

    // MARK: From the page

    private func receive(_ text: ByteBuffer) {
        do throws(PageRequest.Refusal) {
            let request = try PageRequest(text.readableBytesView, origin: stream.origin)
            guard !isOver else { return }
            control.writeAndFlush(ByteBuffer(bytes: request.line), promise: nil)
        } catch {
            stream.send(ByteBuffer(bytes: error.line))
            stream.flush()
        }
        let wait = budget.charge(Self.cost(of: text.readableBytes))
        if wait > 0, !isThrottled {
            isThrottled = true
            stream.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(wait * 1e9))) { [weak self] in
                self?.isThrottled = false
                self?.readPage()
            }
        }
        readPage()
    }

    /// Reads the page's requests only if touchd reads them, the page reads the answers, and the budget allows it.
    fileprivate func readPage() {
        let reads = !isThrottled && control.isWritable && stream.isWritable
        guard reads != isReading, !isOver else { return }
        isReading = reads
        stream.setReading(reads)
    }

    /// The limits of pages: their connections, because a control socket has room for 64 clients, and the size of a message.
    static var limits: WebLimits {
        var limits = WebLimits()
        limits.authenticatedConnections = 16
        limits.body = 1024 * 1024
        return limits
    }

    /// Limits how fast a page's requests reach touchd. A request of 1 MiB costs half of the capacity.
    static let budget = TokenBucket(rate: 120, capacity: 256)

    /// The tokens of a request: one, and one more for each 8 KiB, so a page can move its views 60 times a second beside
    /// its other requests.
    static func cost(of bytes: Int) -> Double { 1 + Double(bytes / 8192) }

    // MARK: From touchd

    fileprivate func received(_ line: ByteBuffer) { stream.send(line) }

    fileprivate func receivedAll() {
        stream.flush()
        if stream.isWritable { control.read() }
    }

    private func readControl() {
        guard !isOver else { return }
        control.read()
    }

    /// Ends both connections.
    fileprivate func end() {
        guard !isOver else { return }
        isOver = true
        control.close(promise: nil)
        stream.close(status: Self.serviceRestart)
    }
}

/// Passes the events of a control connection on to its bridge.
private final class ControlEvents: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let bridge: PageBridge

    init(_ bridge: PageBridge) { self.bridge = bridge }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { bridge.received(unwrapInboundIn(data)) }
    func channelReadComplete(context: ChannelHandlerContext) { bridge.receivedAll() }
    func channelWritabilityChanged(context: ChannelHandlerContext) { bridge.readPage() }
    func channelInactive(context: ChannelHandlerContext) { bridge.end() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { bridge.end() }
}

/// Splits touchd's output into lines, without the newline.
private struct LineDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    /// The bytes that are known to have no newline.
    private var searched = 0

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) -> DecodingState {
        let view = buffer.readableBytesView.dropFirst(searched)
        guard let end = view.firstIndex(of: UInt8(ascii: "\n")),
            let line = buffer.readSlice(length: end - buffer.readerIndex)
        else {
            searched = buffer.readableBytes
            return .needMoreData
        }
        buffer.moveReaderIndex(forwardBy: 1)
        searched = 0
        context.fireChannelRead(Self.wrapInboundOut(line))
        return .continue
    }

    func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) -> DecodingState {
        .needMoreData
    }
}

/// Decides which requests of a page reach touchd's control socket, and restricts them.
///
/// The line for touchd has the values as the page wrote them, which both read with the same reader.
struct PageRequest {
    /// The requests that a page may send: its own views, and what a layout's `on:` can do too. The others belong to
    /// the administrator.
    static let names: Set = [
        "subscribe", "views", "move", "go", "show", "hide", "enable", "disable", "toggle", "switch-on", "switch-off",
        "reset", "hit", "layout", "say",
    ]
    /// The topics that a page may subscribe to.
    static let topics: Set = ["touches", "gestures", "controls", "pages", "idle", "published", "accessibility"]
    /// The maximum nesting depth, as on the control socket.
    static let depth = 64

    /// The line for touchd, with a newline.
    let line: [UInt8]

    /// Restricts a page's request.
    ///
    /// - Parameter origin: The page's origin, which touchd's log and `touchd hit` name.
    /// - Throws: A `Refusal`.
    init(_ text: some Collection<UInt8>, origin: String) throws(Refusal) {
        guard let members = (try? JSONTree(text, depth: Self.depth))?.members, let name = members["request"]?.name
        else {
            let message = "a message must be one JSON object, such as {\"request\": \"layout\"}"
            throw Refusal(id: nil, error: ControlError(.notARequest, message))
        }
        var values = members.mapValues(\.json)
        func refused(_ code: ControlError.Code, _ message: String) -> Refusal {
            Refusal(id: members["id"], error: ControlError(code, message))
        }
        guard Self.names.contains(name) else {
            let names = Self.names.sorted().joined(separator: ", ")
            throw refused(.unknownRequest, "a page cannot send '\(name.prefix(40))'; it can send \(names)")
        }
        switch name {
        case "subscribe":
            for topic in (members["to"]?.items ?? []).compactMap(\.name) where !Self.topics.contains(topic) {
                let names = Self.topics.sorted().joined(separator: ", ")
                throw refused(
                    .wrongArgument, "a page cannot subscribe to '\(topic.prefix(40))'; there are \(names)")
            }
            // This page must not receive other touches, such as those on another page's buttons.
            values["own"] = true.jsonLine[...]
        case "views": values["publisher"] = Self.publisher(members["publisher"]?.name, origin: origin).jsonLine[...]
        default: break
        }
        line =
            JSONWriter.object { line in
                for (name, json) in values.sorted(by: { $0.key < $1.key }) {
                    line.name(name)
                    line.write(json: json)
                }
            } + [UInt8(ascii: "\n")]
    }

    /// The page's address without query and fragment, if it has the page's origin; otherwise the origin.
    private static func publisher(_ address: String?, origin: String) -> String {
        guard let address, address.hasPrefix(origin + "/") else {
            return String(origin.prefix(128))
        }
        // The query and the fragment may hold a visitor's data.
        return String(address.prefix { $0 != "?" && $0 != "#" }.prefix(128))
    }

    /// An error for a page, in the form of the control socket.
    struct Refusal: Error, Equatable {
        var id: JSONTree?
        var error: ControlError

        /// The answer's line, without a newline.
        var line: [UInt8] {
            JSONWriter.object {
                $0.member("id", id)
                $0.member("error", error)
            }
        }
    }
}
