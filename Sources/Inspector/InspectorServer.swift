import ControlProtocol
import EventLoop
import FlyingFox
import FlyingSocks
import Foundation

/// Serves the page to browsers.
///
/// Everything that it says or does happens on the main actor; HTTP itself is FlyingFox's, on threads of its own.
public final class InspectorServer {
    private let address: ListenAddress
    private let answers: PageAnswers
    private let server: HTTPServer

    /// How many seconds an answer may take: longer than a day's journal is waited for.
    private static let patience = 2 * DayMapJournal.patience

    /// Why it cannot listen.
    public struct Failure: Error, CustomStringConvertible {
        let address: ListenAddress
        let reason: String

        /// What is wrong, and what to do.
        public var description: String {
            "cannot listen at \(address.text): \(reason); choose another address with --listen"
        }
    }

    /// Makes a server for a running touchd, that does not listen yet.
    ///
    /// - Throws: Why the address cannot be used.
    public convenience init(_ session: LiveSession, address: ListenAddress, token: AccessToken) throws {
        try self.init(of: session, address: address, token: token)
        session.onEvent = { [answers] line in answers.tell(line) }
    }

    /// Makes a server for a recording, that does not listen yet.
    ///
    /// - Throws: Why the address cannot be used.
    public convenience init(_ session: RecordedSession, address: ListenAddress, token: AccessToken) throws {
        try self.init(of: session, address: address, token: token)
    }

    private init(of session: any Session, address: ListenAddress, token: AccessToken) throws {
        self.address = address
        let answers = PageAnswers(session, guardian: RequestGuard(token: token, address: address))
        self.answers = answers
        let handler = ClosureHTTPHandler { try await answers.answer($0) }
        server =
            switch address {
            case .unix(let path):
                HTTPServer(address: .unix(path: path), timeout: Self.patience, logger: .disabled, handler: handler)
            case .internet(let host, let port) where ListenAddress.isIPv6(host):
                HTTPServer(
                    address: try .inet6(ip6: host, port: port), timeout: Self.patience, logger: .disabled,
                    handler: handler)
            case .internet(let host, let port):
                HTTPServer(
                    address: try .inet(ip4: host, port: port), timeout: Self.patience, logger: .disabled,
                    handler: handler)
            }
    }

    /// Listens and answers until the task is cancelled. A local socket is its owner's alone.
    public func run() async throws(Failure) {
        // Pages that have gone are noticed by writing to them.
        let pulse = RunLoopTimer(name: "inspector pulse", after: .seconds(15), repeating: .seconds(15)) {
            [answers] _ in answers.tellPulse()
        }
        EpollRunLoop.main.add(pulse)
        defer { pulse.invalidate() }
        do {
            if case .unix(let path) = address {
                try LocalAddress.makeRoom(at: path)
                // It writes no other file, so that this mode may count for good.
                umask(0o177)
            }
            try await server.run()
        } catch ListeningFailure.isTaken {
            throw Failure(address: address, reason: "another process listens there")
        } catch ListeningFailure.isNoSocket {
            throw Failure(address: address, reason: "what is there is no socket, and is not replaced")
        } catch ListeningFailure.isNoAddress {
            throw Failure(
                address: address, reason: "the path of a socket has at most \(LocalAddress.lengths.upperBound) bytes")
        } catch ListeningFailure.refused(_, let error) {
            throw Failure(address: address, reason: error.reason)
        } catch SocketError.failed(_, _, let message) {
            throw Failure(address: address, reason: message)
        } catch {
            throw Failure(address: address, reason: (error as? any LocalizedError)?.errorDescription ?? "\(error)")
        }
    }

    /// Waits until it listens, and answers at which port; 0 for a local socket.
    public func port() async throws -> UInt16 {
        try await server.waitUntilListening()
        switch await server.listeningAddress {
        case .ip4(_, let port), .ip6(_, let port): return port
        default: return 0
        }
    }

    /// Removes the local socket that it listened at, if it did.
    public func removeSocket() {
        if case .unix(let path) = address { unlink(path) }
    }
}
