import EventLoop
import Foundation

/// A program's connection to the control socket of a running touchd; its calls wait, for answers no longer than they
/// were told to.
public nonisolated final class ControlConnection {
    /// Why a connection cannot be had, or is over.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// Nothing listens at the path.
        case nobodyThere(path: String)
        /// The path may not be connected to.
        case notPermitted(path: String)
        /// touchd listens, but does nothing: it did not answer for so long.
        case noAnswer(after: Duration)
        /// touchd has ended, or does not listen any longer.
        case closed
        /// What was read is not of the protocol.
        case notAnAnswer(String)
        /// Another call failed.
        case system(SystemError)
        /// The kernel takes no path of that length.
        case isNoAddress(path: String)

        /// What is wrong, and what to do.
        public var description: String {
            switch self {
            case .nobodyThere(let path):
                "no touchd listens at \(path); start it with 'systemctl start touchd', or by hand with 'touchd run "
                    + "--control \(path)', or say where it is with --socket"
            case .notPermitted(let path):
                "you may not talk to touchd at \(path); root may, and members of the socket's group: "
                    + "'sudo usermod -aG touchd \(NSUserName())', and log in again"
            case .noAnswer(let patience):
                "touchd does not answer, not in \(patience); a handler may be stuck: see 'journalctl -u touchd'"
            case .closed: "touchd has closed the connection; it may have been stopped or started again"
            case .notAnAnswer(let line): "this is no answer of touchd's: \(line.prefix(200))"
            case .system(let error): "\(error)"
            case .isNoAddress(let path):
                "no touchd can listen at \(path): the path of a socket may have \(LocalAddress.bounds), and this "
                    + "has \(path.utf8.count); say where it is with --socket"
            }
        }
    }

    private let descriptor: Int32
    private let patience: Duration
    private var buffer: [UInt8] = []
    private var events: [[UInt8]] = []

    /// Connects to the socket at a path.
    ///
    /// - Parameter patience: How long an answer is waited for, as well as room for a request; not how long an event is.
    public init(path: String = ControlAddress.ofClient, patience: Duration = .seconds(5)) throws(Failure) {
        self.patience = patience
        guard let address = LocalAddress(path) else { throw .isNoAddress(path: path) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        if descriptor < 0 { throw .system(SystemError(call: "socket(AF_UNIX, SOCK_STREAM)", errno: errno)) }
        // It counts for connect too, which waits while as many as may are waiting to be accepted (unix_stream_connect).
        var limit = timeval(patience)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard address.withSockaddr({ connect(descriptor, $0, $1) }) != 0 else { return }
        switch errno {
        case ENOENT, ECONNREFUSED, ENOTDIR: throw .nobodyThere(path: path)
        case EACCES, EPERM: throw .notPermitted(path: path)
        case EAGAIN: throw .noAnswer(after: patience)
        default: throw .system(SystemError(call: "connect(\(path))", errno: errno))
        }
    }

    deinit { close(descriptor) }

    /// Sends a request and waits for what touchd answers; events that come before it are kept for `nextEvent()`.
    ///
    /// Where touchd does not answer in time the connection is over, since what it answers later would be taken for the
    /// answer to something else.
    ///
    /// - Throws: A `ControlError` where touchd refuses, or a `Failure`.
    @discardableResult
    public func send(_ request: ControlRequest) throws -> JSONValue {
        let deadline = ContinuousClock.now + patience
        try write(request.json.jsonLine + [UInt8(ascii: "\n")])
        while true {
            let line = try readLine(until: deadline)
            guard case .object(let object)? = JSONValue(line) else {
                throw Failure.notAnAnswer(String(decoding: line, as: UTF8.self))
            }
            if object["event"] != nil {
                events.append(line)
            } else if let result = object["result"] {
                return result
            } else if let error = object["error"] {
                // A later touchd may have other codes.
                throw (try? JSONDecoder().decode(ControlError.self, from: Data(error.jsonLine)))
                    ?? Failure.notAnAnswer(String(decoding: line, as: UTF8.self)) as any Error
            } else {
                throw Failure.notAnAnswer(String(decoding: line, as: UTF8.self))
            }
        }
    }

    /// Waits for the next event and answers its line, a JSON object.
    public func nextEvent() throws(Failure) -> Data {
        if !events.isEmpty { return Data(events.removeFirst()) }
        return Data(try readLine())
    }

    /// Asks for the state.
    ///
    /// - Throws: A `ControlError` where touchd refuses, or a `Failure`.
    public func status() throws -> StatusReport {
        let line = try send(.status).jsonLine
        guard let status = try? JSONDecoder().decode(StatusReport.self, from: Data(line)) else {
            throw Failure.notAnAnswer(String(decoding: line, as: UTF8.self))
        }
        return status
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno == EPIPE || errno == ECONNRESET {
                // What touchd said before it hung up is still to be read.
                return
            } else if errno == EAGAIN {
                throw giveUp()
            } else if errno != EINTR {
                throw .system(SystemError(call: "send", errno: errno))
            }
        }
    }

    private func giveUp() -> Failure {
        shutdown(descriptor, Int32(SHUT_RDWR))
        return .noAnswer(after: patience)
    }

    private func readLine(until deadline: ContinuousClock.Instant? = nil) throws(Failure) -> [UInt8] {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                return line
            }
            if let deadline { try wait(until: deadline) }
            var piece = [UInt8](repeating: 0, count: 64 * 1024)
            let count = piece.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 {
                buffer.append(contentsOf: piece[..<count])
            } else if count == 0 || errno == ECONNRESET {
                throw .closed
            } else if errno != EINTR {
                throw .system(SystemError(call: "recv", errno: errno))
            }
        }
    }

    /// Waits until there is something to be read.
    private func wait(until deadline: ContinuousClock.Instant) throws(Failure) {
        while true {
            // Rounded up, so that it does not turn idly in the last millisecond.
            let left = max(.zero, ContinuousClock.now.duration(to: deadline)) / .milliseconds(1)
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&state, 1, Int32(min(left.rounded(.up), Double(Int32.max))))
            if count > 0 { return }
            if count == 0 { throw giveUp() }
            if errno != EINTR { throw .system(SystemError(call: "poll", errno: errno)) }
        }
    }
}

nonisolated extension timeval {
    /// So long; never nothing, which a socket takes for ever.
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: max(seconds > 0 ? 0 : 1, Int(attoseconds / 1_000_000_000_000)))
    }
}
