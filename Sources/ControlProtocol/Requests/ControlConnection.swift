import EventLoop
import Glibc

/// A client's connection to the control socket of a running touchd. Calls block; waiting for an answer has a timeout.
package final class ControlConnection {
    private let descriptor: Int32
    private let timeout: Duration
    private var buffer = LineBuffer()
    private var events: [[UInt8]] = []

    /// Connects to the socket at a path.
    ///
    /// - Parameter timeout: The timeout for an answer and for sending a request; events have no timeout.
    package init(path: String = ControlAddress.ofClient, timeout: Duration = .seconds(5)) throws(ControlConnectionError)
    {
        self.timeout = timeout
        guard let address = LocalAddress(path) else { throw .isNoAddress(path: path) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        if descriptor < 0 { throw .system(SystemError(call: "socket(AF_UNIX, SOCK_STREAM)", errno: errno)) }
        // The timeout also applies to connect(2), which blocks while the backlog is full (unix_stream_connect).
        var limit = timeval(timeout)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard address.withSockaddr({ connect(descriptor, $0, $1) }) != 0 else { return }
        switch errno {
        case ENOENT, ECONNREFUSED, ENOTDIR: throw .nobodyThere(path: path)
        case EACCES, EPERM: throw .notPermitted(path: path)
        case EAGAIN: throw .noAnswer(after: timeout)
        default: throw .system(SystemError(call: "connect(\(path))", errno: errno))
        }
    }

    deinit { close(descriptor) }

    /// Sends a request and waits for its answer. Events received before the answer are kept for `nextEvent()`.
    ///
    /// If touchd does not answer before the timeout, the connection is closed, because a late answer would be taken for
    /// the answer to another request.
    ///
    /// - Throws: A `ControlError` if touchd refuses the request, or a `ControlConnectionError`.
    @discardableResult
    package func send(_ request: ControlRequest) throws -> JSONTree {
        let deadline = ContinuousClock.now + timeout
        try write(request.line + [UInt8(ascii: "\n")])
        while true {
            let line = try readLine(until: deadline)
            // Published views may be nested as deep as a request, and are in a result here.
            let answer = try? JSONTree(line, depth: 128)
            if answer?["event"] != nil {
                events.append(line)
            } else if let result = answer?["result"] {
                return result
            } else {
                // A later version of touchd may have other codes.
                throw (try? answer?["error"]?.decode(ControlError.self))
                    ?? ControlConnectionError.notAnAnswer(String(decoding: line, as: UTF8.self)) as any Error
            }
        }
    }

    /// Waits for the next event and returns its line, a JSON object.
    ///
    /// - Parameter limit: How long to wait; the connection is closed then. Nil for no limit.
    package func nextEvent(within limit: Duration? = nil) throws(ControlConnectionError) -> [UInt8] {
        if !events.isEmpty { return events.removeFirst() }
        return try readLine(until: limit.map { .now + $0 })
    }

    /// Requests the state.
    ///
    /// - Throws: A `ControlError` if touchd refuses the request, or a `ControlConnectionError`.
    package func status() throws -> StatusReport { try answer(to: .status) }

    /// Sends a request and decodes its result.
    ///
    /// - Throws: A `ControlError` if touchd refuses the request, or a `ControlConnectionError`.
    package func answer<Answer: JSONReadable>(to request: ControlRequest) throws -> Answer {
        let result = try send(request)
        guard let answer = try? result.decode(Answer.self) else {
            throw ControlConnectionError.notAnAnswer(String(decoding: result.json, as: UTF8.self))
        }
        return answer
    }

    private func write(_ bytes: [UInt8]) throws(ControlConnectionError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno == EPIPE || errno == ECONNRESET {
                // touchd's last output can still be read.
                return
            } else if errno == EAGAIN {
                throw giveUp()
            } else if errno != EINTR {
                throw .system(SystemError(call: "send", errno: errno))
            }
        }
    }

    private func giveUp() -> ControlConnectionError {
        shutdown(descriptor, Int32(SHUT_RDWR))
        return .noAnswer(after: timeout)
    }

    private func readLine(until deadline: ContinuousClock.Instant? = nil) throws(ControlConnectionError) -> [UInt8] {
        while true {
            if let line = buffer.nextLine() { return Array(line) }
            if let deadline { try wait(until: deadline) }
            let count = buffer.fill(64 * 1024) { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count == 0 || count < 0 && errno == ECONNRESET { throw .closed }
            if count < 0, errno != EINTR { throw .system(SystemError(call: "recv", errno: errno)) }
        }
    }

    /// Waits until data can be read.
    private func wait(until deadline: ContinuousClock.Instant) throws(ControlConnectionError) {
        while true {
            // Rounded up, so that poll(2) does not spin in the last millisecond.
            let left = max(.zero, ContinuousClock.now.duration(to: deadline)) / .milliseconds(1)
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&state, 1, Int32(min(left.rounded(.up), Double(Int32.max))))
            if count > 0 { return }
            if count == 0 { throw giveUp() }
            if errno != EINTR { throw .system(SystemError(call: "poll", errno: errno)) }
        }
    }
}

extension timeval {
    /// At least a microsecond, because a socket takes 0 as no timeout.
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: max(seconds > 0 ? 0 : 1, Int(attoseconds / 1_000_000_000_000)))
    }
}

extension ControlConnection {
    /// Requests a touchscreen's last minutes as evemu text and passes it on part by part.
    ///
    /// - Parameter source: The device's number in `devices`; nil if there is only one touchscreen.
    /// - Throws: A `ControlError` if touchd refuses the request, a `ControlConnectionError`, or an error of `write`.
    package func recording(of source: UInt32? = nil, write: (String) throws -> Void) throws {
        var part: Int? = 0
        while let number = part {
            let answer = try send(.recording(source: source, part: number))
            guard let text = answer["text"]?.string else {
                throw ControlConnectionError.notAnAnswer(String(decoding: answer.json, as: UTF8.self))
            }
            try write(text)
            part = answer["next"]?.number.flatMap { Int(exactly: $0) }
        }
    }

    /// The views that are loaded, without those inside private views.
    package func views() throws -> [ViewList.View] {
        var views: [ViewList.View] = [], part: Int? = 0
        while let number = part {
            let list: ViewList = try answer(to: .listViews(part: number))
            views += list.views
            part = list.next
        }
        return views
    }
}

/// Why a connection could not be opened or was closed.
package enum ControlConnectionError: Error, Equatable, CustomStringConvertible {
    /// Nothing listens at the path.
    case nobodyThere(path: String)
    /// The caller may not connect to the path.
    case notPermitted(path: String)
    /// touchd listens but did not answer within the timeout.
    case noAnswer(after: Duration)
    /// touchd exited or closed the connection.
    case closed
    /// The received line does not conform to the protocol.
    case notAnAnswer(String)
    /// Another call failed.
    case system(SystemError)
    /// The path is too long for a socket address.
    case isNoAddress(path: String)

    /// The users that systemd makes for units with `DynamicUser=` (https://systemd.io/UIDS-GIDS).
    private static let dynamicUsers: ClosedRange<uid_t> = 61_184...65_519

    /// The error and how to fix it.
    package var description: String {
        switch self {
        case .nobodyThere(let path):
            "no touchd listens at \(path); start it with 'systemctl start touchd' or 'touchd run "
                + "--control \(path)', or give its path with --socket"
        case .notPermitted(let path):
            "permission denied for touchd's control socket \(path); "
                + (Self.dynamicUsers.contains(geteuid())
                    ? "this program runs in a service: give its unit SupplementaryGroups=touchd"
                    : "use sudo, or join its group: sudo usermod -aG touchd "
                        + "\(getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "USER"), then log in again")
        case .noAnswer(let timeout):
            "touchd did not answer within \(timeout); a handler may be stuck: see 'journalctl -u touchd'"
        case .closed: "touchd closed the connection; it may have been stopped or restarted"
        case .notAnAnswer(let line): "invalid answer from touchd: \(line.prefix(200))"
        case .system(let error): "\(error)"
        case .isNoAddress(let path):
            "\(path): a socket's path must be \(LocalAddress.bounds) long "
                + "(got \(path.utf8.count)); give touchd's with --socket"
        }
    }
}
