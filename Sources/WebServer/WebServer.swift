import Basics
import Glibc
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
    ///   - users: The users of this machine who may connect; nil for all.
    ///   - open: Takes the WebSockets of pages; without it, their path is a path like others.
    ///   - report: Called for requests that are refused because of their user, origin, host or token, on any thread.
    package init(
        at listener: Listener, access: WebAccess, users: PeerUsers? = nil, limits: WebLimits = WebLimits(),
        open: WebConfiguration.Opening? = nil, report: WebConfiguration.RefusalReport? = nil,
        answer: @escaping WebConfiguration.Answer
    ) {
        self.listener = listener
        configuration = WebConfiguration(
            users: users,
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
            // A page whose machine is gone would keep its place among the connections.
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
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
            throw WebServerError(description: ErrorText.of(error.errnoCode))
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
