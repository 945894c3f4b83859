import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves HTTP/1.1 to browsers: SwiftNIO reads requests within `WebLimits`, a `RequestGuard` refuses invalid ones, and
/// a closure on the main actor responds to the others.
///
/// Sockets belong to a thread of SwiftNIO. A request reaches the main actor only when it is complete and accepted.
public final class WebServer: Sendable {
    /// Responds to a request. When the client closes the connection, the task is cancelled.
    public typealias Answer = @MainActor @Sendable (WebRequest) async -> WebResponse

    private let address: ListenAddress
    private let limits: WebLimits
    private let requestGuard: RequestGuard
    private let answer: Answer

    /// Creates a server that does not listen yet.
    public init(address: ListenAddress, token: AccessToken, limits: WebLimits = WebLimits(), answer: @escaping Answer) {
        self.address = address
        self.limits = limits
        requestGuard = RequestGuard(token: token, address: address, longestBody: limits.body)
        self.answer = answer
    }

    /// Listens and answers until the process ends. Only its owner can connect to a local socket.
    ///
    /// - Returns: The port, which the kernel chose if the address has port 0; 0 for a local socket.
    /// - Throws: A `WebServerError` if the server cannot listen at the address.
    public func listen() async throws(WebServerError) -> UInt16 {
        let group = MultiThreadedEventLoopGroup.singleton.next()
        let table = ConnectionTable(limits)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [requestGuard, limits, answer] channel in
                channel.eventLoop.makeCompletedFuture {
                    try Self.prepare(
                        channel,
                        WebConnection(requestGuard: requestGuard, limits: limits, table: table, answer: answer), limits
                    )
                }
            }
        do {
            switch address {
            case .internet(let host, let port):
                let channel = try await bootstrap.bind(host: host, port: Int(port)).get()
                return UInt16(channel.localAddress?.port ?? 0)
            case .unix(let path):
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

    private static func prepare(_ channel: any Channel, _ connection: WebConnection, _ limits: WebLimits) throws {
        var decoder = NIOHTTPDecoderLimitConfiguration()
        decoder.maxHeaderFieldSize = limits.head
        decoder.maxHeaderListSize = limits.head
        decoder.maxHeaderFieldCount = limits.fields
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([
            connection.drain, ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: decoder)),
            HTTPResponseEncoder(), connection,
        ])
    }
}
