import ControlProtocol
import EventLoop
import Foundation
import Logging
import Outputs
import Service

/// A client writes bytes to a control socket on a run loop; at each 0xFF, which is not written, it reads the responses
/// so far.
///
/// Each line is answered, in order and with its id, up to the first that ends the connection; a closed client leaves
/// nothing behind.
final class FuzzedControl {
    private static let shared = FuzzedControl()
    private static let limits = ControlServer.Limits(clients: 4, line: 256, output: 2048)

    private let loop: EpollRunLoop
    // In the abstract namespace, which leaves no file behind.
    private let path = "@touchd-fuzz-\(getpid())"
    private var server: ControlServer?
    private let subscribers = Subscribers()

    private init() {
        do {
            loop = try EpollRunLoop()
            server = ControlServer(
                socket: try ListeningSocket(path: path), subscribers: subscribers, loop: loop, limits: Self.limits,
                logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
            ) { [unowned self] (request, client) throws(ControlError) in try perform(request, client) }
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static func violation(_ bytes: UnsafeRawBufferPointer) -> String? { shared.violation(Array(bytes)) }

    private func perform(_ request: ControlRequest, _ client: ControlSession) throws(ControlError) -> [UInt8] {
        switch request {
        case .subscribe(let topics, let moves, _):
            (client.subscriber.topics, client.subscriber.wantsMoves) = (topics, moves)
        case .command(.named(.go, let page)): throw ControlError(.noSuchPage, "the layout has no page '\(page)'")
        default: subscribers.send(.published) { PublishedRecord(time: 1, "a message", to: "a topic") }
        }
        return JSONWriter.object { _ in }
    }

    private func violation(_ bytes: [UInt8]) -> String? {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        let failed = LocalAddress(path)?.withSockaddr { connect(client, $0, $1) }
        precondition(failed == 0, "cannot connect to \(path): error number \(errno)")
        var received: [UInt8] = []
        for piece in bytes.split(separator: 0xff) {
            send(client, Array(piece), piece.count, Int32(MSG_NOSIGNAL))
            read(client, into: &received)
        }
        shutdown(client, Int32(SHUT_WR))
        read(client, into: &received)
        // A program that starts at the same time may hold a copy.
        shutdown(client, Int32(SHUT_RDWR))
        close(client)
        settle()
        if let count = server?.clientCount, count > 0 { return "\(count) clients are left" }

        let messages = received.split(separator: UInt8(ascii: "\n")).map { (try? JSONTree($0))?.members }
        var ids: [[UInt8]?] = []
        for message in messages {
            guard let object = message else { return "not a JSON object" }
            if object["event"] == nil {
                if (object["result"] == nil) == (object["error"] == nil) { return "neither a result nor an error" }
                ids.append(object["id"].map { Array($0.json) })
            }
        }
        let expected = Self.expectedIDs(bytes.filter { $0 != 0xff })
        return ids == expected ? nil : "answers to \(ids), not to \(expected)"
    }

    /// The ids of the lines that are answered.
    private static func expectedIDs(_ bytes: [UInt8]) -> [[UInt8]?] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        var ids: [[UInt8]?] = []
        for bytes in lines {
            guard bytes.count <= limits.line else { return ids + [nil] }
            let line = ControlLine(bytes)
            ids.append(line.id)
            if case .failure(let error) = line.request, error.endsConnection { break }
        }
        return ids
    }

    private func settle() { while loop.run(until: .now, returnAfterSourceHandled: true) == .handledSource {} }

    /// Reads until nothing more arrives.
    private func read(_ client: Int32, into received: inout [UInt8]) {
        while true {
            settle()
            var piece = [UInt8](repeating: 0, count: 16 * 1024)
            let count = recv(client, &piece, piece.count, 0)
            guard count > 0 else { return }
            received += piece[..<count]
        }
    }
}

/// Sends bytes to a client of the control socket as responses.
///
/// The client gets a response, or an error with an explanation.
enum FuzzedAnswers {
    static func violation(_ bytes: UnsafeRawBufferPointer) -> String? {
        let path = "@touchd-fuzz-answers-\(getpid())"
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        defer { close(server) }
        let failed = LocalAddress(path)?.withSockaddr { bind(server, $0, $1) }
        precondition(failed == 0 && listen(server, 1) == 0, "cannot listen at \(path): error number \(errno)")
        do {
            let connection = try ControlConnection(path: path)
            let peer = accept(server, nil, nil)
            send(peer, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            close(peer)
            _ = try connection.status()
            while true { _ = try connection.nextEvent() }
        } catch let error as ControlConnectionError {
            return error.description.isEmpty ? "an error without words" : nil
        } catch is ControlError {
            return nil
        } catch {
            return "an error that is not for people: \(error)"
        }
    }
}
