import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Serves HTTP/1.1 to browsers: SwiftNIO reads requests within `WebLimits`, a `RequestGuard` refuses invalid ones, and
/// a closure on the main actor responds to the others.
///
/// Sockets belong to a thread of SwiftNIO. A request reaches the main actor only when it is complete and accepted.
package final class WebServer: Sendable {
    /// Where it listens.
    package enum Listener: Sendable {
        /// At an address.
        case address(ListenAddress)
        /// At a listening TCP socket of a loopback address, such as systemd passes (sd_listen_fds(3)).
        case descriptor(Int32)

        var address: ListenAddress {
            switch self {
            case .address(let address): address
            case .descriptor: .internet(host: "127.0.0.1", port: 0)
            }
        }
    }

    private let listener: Listener
    private let configuration: WebConfiguration

    /// Creates a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - open: Takes the streams of pages; without it, `WebAccess.streamPath` is a path like others.
    ///   - report: Called for requests that are refused because of their origin, host or token, on any thread.
    package init(
        at listener: Listener, access: WebAccess, limits: WebLimits = WebLimits(),
        open: WebConfiguration.Opening? = nil, report: WebConfiguration.RefusalReport? = nil,
        answer: @escaping WebConfiguration.Answer
    ) {
        self.listener = listener
        configuration = WebConfiguration(
            requestGuard: RequestGuard(access: access, address: listener.address, longestBody: limits.body),
            limits: limits, answer: answer, open: open, report: report)
    }

    /// Listens and answers until the process ends. Only its owner can connect to a local socket.
    ///
    /// - Returns: The port, which the kernel chose if the address has port 0; 0 for a local socket.
    /// - Throws: A `WebServerError` if the server cannot listen at the address.
    package func listen() async throws(WebServerError) -> UInt16 {
        let group = MultiThreadedEventLoopGroup.singleton.next()
        let table = ConnectionTable(configuration.limits)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [configuration] channel in
                channel.eventLoop.makeCompletedFuture {
                    try Self.prepare(channel, WebConnection(configuration, table: table), configuration)
                }
            }
        do {
            switch listener {
            case .descriptor(let descriptor):
                let channel = try await bootstrap.withBoundSocket(descriptor).get()
                return UInt16(channel.localAddress?.port ?? 0)
            case .address(.internet(let host, let port)):
                let channel = try await bootstrap.bind(host: host, port: Int(port)).get()
                return UInt16(channel.localAddress?.port ?? 0)
            case .address(.unix(let path)):
                let mask = umask(0o177)
                defer { umask(mask) }
                _ = try await bootstrap.bind(unixDomainSocketPath: path).get()
                return 0
            }
        } catch let error as IOError {
            throw WebServerError(description: String(cString: strerror(error.errnoCode)))
        } catch {
            throw WebServerError(description: "\(error)")
        }
    }

    private static func prepare(
        _ channel: any Channel, _ connection: WebConnection, _ configuration: WebConfiguration
    ) throws {
        let limits = configuration.limits
        var bounds = NIOHTTPDecoderLimitConfiguration()
        bounds.maxHeaderFieldSize = limits.head
        bounds.maxHeaderListSize = limits.head
        bounds.maxHeaderFieldCount = limits.fields
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: bounds))
        let encoder = HTTPResponseEncoder()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([connection.drain, decoder, encoder])
        if configuration.open != nil {
            let me = NIOLoopBound(connection, eventLoop: channel.eventLoop)
            let upgrader = NIOWebSocketServerUpgrader(
                maxFrameSize: limits.body, automaticErrorHandling: false,
                shouldUpgrade: { channel, head in
                    channel.eventLoop.makeSucceededFuture(me.value.webSocketHeaders(for: head))
                },
                upgradePipelineHandler: { channel, head in
                    channel.eventLoop.makeCompletedFuture { try me.value.beginWebSocket(head) }
                })
            try pipeline.addHandler(
                HTTPServerUpgradeHandler(
                    upgraders: [upgrader], httpEncoder: encoder, extraHTTPHandlers: [decoder, connection],
                    upgradeCompletionHandler: { _ in }))
        }
        try pipeline.addHandler(connection)
    }
}

/// Why a server cannot listen.
package struct WebServerError: Error, CustomStringConvertible {
    /// The kernel's error message.
    package let description: String
}

/// The properties that all connections of a server share.
package struct WebConfiguration: Sendable {
    /// Responds to a request. When the client closes the connection, the task is cancelled.
    package typealias Answer = @MainActor @Sendable (WebRequest) async -> WebResponse

    /// Takes a page's stream when a page opens it; called on the stream's event loop.
    package typealias Opening = @Sendable (PageStream) -> Void

    /// Reports a refused request: the page's origin or `-`, the request's path, and the reason.
    package typealias RefusalReport = @Sendable (_ origin: String, _ path: String, _ reason: String) -> Void

    var requestGuard: RequestGuard
    var limits: WebLimits
    var answer: Answer
    var open: Opening?
    var report: RefusalReport?
}

/// The limits for browsers, and for programs that claim to be one. Each limit is checked before a request is parsed
/// further, so that a client cannot exhaust memory or processor time.
package struct WebLimits: Sendable {
    /// Request line and headers, in bytes of names and values; a browser sends about 1 KB. Larger ones get status 431.
    package var head = 16 * 1024
    /// Header fields; a browser sends about 15. More get status 431.
    package var fields = 64
    /// The body, in bytes; changes to a hundred views take 10 KB. Larger ones get status 413.
    package var body = 64 * 1024
    /// Connections that have not sent the token yet. One more closes the connection that has waited longest, so that
    /// clients without the token cannot block others.
    package var unauthenticatedConnections = 64
    /// Connections whose last request had the token. One more gets status 503.
    package var authenticatedConnections = 64
    /// The timeout for sending a request and for reading a response, in seconds.
    package var timeout: Int64 = 30
    /// How much of a refused request is still read and dropped, in bytes. The kernel resets a connection that is closed
    /// with unread data, and the client would lose the response.
    package var drained = 1024 * 1024

    /// Creates the default limits.
    package init() {}
}
