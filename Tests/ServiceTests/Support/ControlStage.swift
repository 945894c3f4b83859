@testable import ControlProtocol
import EventLoop
import Foundation
import Logging

@testable import Service
@testable import TestSupport
import Outputs

/// A control server on its own loop, and clients with sockets that a test reads and writes directly.
final class ControlStage {
    let loop: EpollRunLoop
    let path = FileManager.default.temporaryDirectory
        .appending(path: "touchd-\(UUID().uuidString.prefix(8)).control").path
    private(set) var performed: [ControlRequest] = []
    private(set) var log = ControlLog()
    private(set) var server: ControlServer?
    private(set) var listener: Int32?
    let subscribers = Subscribers()
    private let worker = HeldWorker()
    /// Performs a request that a test answers itself.
    var deferred: ((ControlRequest, ControlSession) -> Void)?

    init(limits: ControlServer.Limits = .init()) throws {
        loop = try EpollRunLoop()
        let log = log
        let socket = try ListeningSocket(path: path)
        listener = socket.descriptor
        server = ControlServer(
            socket: socket, subscribers: subscribers, loop: loop, limits: limits,
            logger: Logger(label: "test") { _ in log }, worker: worker.worker
        ) { [unowned self] (request, client) throws(ControlError) in
            performed.append(request)
            if case .command(.reload) = request, let deferred {
                deferred(request, client)
                return nil
            }
            if case .subscribe(let topics, let moves, _) = request {
                (client.subscriber.topics, client.subscriber.wantsMoves) = (topics, moves)
            }
            if case .command(.named(.go, let page)) = request { throw ControlError(.noSuchPage, "no page \(page)") }
            return ["done": true].jsonLine
        }
    }

    /// Runs the loop until it is idle and nothing is left to read.
    func settle() {
        repeat {
            while loop.run(until: .now, returnAfterSourceHandled: true) == .handledSource {}
        } while worker.performNext()
    }

    func close() {
        server?.close()
        server = nil
    }

    isolated deinit { close() }

    /// Connects a client with nonblocking reads.
    func connect() throws -> RawClient {
        let client = RawClient(path: path)
        settle()
        return client
    }
}

/// A log that discards everything.
struct ControlLog: LogHandler {
    nonisolated init() {}
    nonisolated var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    nonisolated var logLevel: Logger.Level {
        get { .info }
        set {}
    }
    nonisolated subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    nonisolated func log(event: LogEvent) {}
}

/// A client's end of a control socket.
final class RawClient {
    let descriptor: Int32
    private var text = ""

    init(path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let failed = LocalAddress(path)?.withSockaddr { Foundation.connect(descriptor, $0, $1) }
        precondition(failed == 0, "cannot connect to \(path)")
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        // A program that another test starts may hold a copy of it.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// Writes as much of a text as there is room for; returns its length.
    @discardableResult
    func write(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        return send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Writes a text and passes a descriptor with it; returns the length.
    func write(_ text: String, passing passed: Int32, flags: Int32 = 0) -> Int {
        var bytes = Array(text.utf8)
        // A header of 16 bytes, the descriptor, and padding (cmsg(3)).
        var control = (UInt64(20), Int32(SOL_SOCKET), Int32(SCM_RIGHTS), passed, Int32(0))
        return withUnsafeMutableBytes(of: &control) { control in
            bytes.withUnsafeMutableBytes { bytes in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    return sendmsg(descriptor, &message, flags | Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    /// Writes a line.
    func write(line: String) { write("\(line)\n") }

    /// The complete lines that have arrived.
    func lines() -> [String] {
        fill()
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        text = lines.removeLast()
        return lines
    }

    /// Whether the other side has closed the connection; earlier data is kept for `lines()`.
    func isClosed() -> Bool { fill() }

    @discardableResult
    private func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 {
                text += String(decoding: bytes[..<count], as: UTF8.self)
            } else {
                return count == 0 || errno != EAGAIN
            }
        }
    }
}

/// A TCP connection with unsent data, whose near end waits an hour for it at its last close (socket(7), `SO_LINGER`).
func lingeringConnection() -> (near: Int32, far: Int32) {
    let type = Int32(SOCK_STREAM.rawValue)
    let (listener, near) = (socket(AF_INET, type, 0), socket(AF_INET, type | Int32(SOCK_NONBLOCK.rawValue), 0))
    defer { close(listener) }
    let port = bindToLoopback(listener)
    listen(listener, 1)
    _ = withLoopback(port: port) { connect(near, $0, $1) }
    let far = accept(listener, nil, nil)
    let piece = [UInt8](repeating: 0, count: 1 << 16)
    while send(near, piece, piece.count, Int32(MSG_NOSIGNAL)) > 0 {}
    var linger = linger(l_onoff: 1, l_linger: 3600)
    setsockopt(near, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    return (near, far)
}
