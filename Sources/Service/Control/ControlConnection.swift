import EventLoop
import Foundation

/// A program's connection to the control socket of a running touchd; its calls wait.
public nonisolated final class ControlConnection {
    /// Why a connection cannot be had, or is over.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// Nothing listens at the path.
        case nobodyThere(path: String)
        /// The path may not be connected to.
        case notPermitted(path: String)
        /// touchd has ended, or does not listen any longer.
        case closed
        /// What was read is not of the protocol.
        case notAnAnswer(String)
        /// Another call failed.
        case system(SystemError)

        /// What is wrong, and what to do.
        public var description: String {
            switch self {
            case .nobodyThere(let path):
                "no touchd listens at \(path); start it with 'systemctl start touchd', or by hand with 'touchd run "
                    + "--control \(path)', or say where it is with --socket"
            case .notPermitted(let path):
                "you may not talk to touchd at \(path); root may, and members of the socket's group: "
                    + "'sudo usermod -aG touchd \(NSUserName())', and log in again"
            case .closed: "touchd has closed the connection; it may have been stopped or started again"
            case .notAnAnswer(let line): "this is no answer of touchd's: \(line.prefix(200))"
            case .system(let error): "\(error)"
            }
        }
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var events: [[UInt8]] = []

    /// Connects to the socket at a path.
    public init(path: String = ControlAddress.ofClient) throws(Failure) {
        guard let address = LocalAddress(path) else {
            throw .system(SystemError(call: "connect(\(path))", errno: ENAMETOOLONG))
        }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        if descriptor < 0 { throw .system(SystemError(call: "socket(AF_UNIX, SOCK_STREAM)", errno: errno)) }
        guard address.withSockaddr({ connect(descriptor, $0, $1) }) != 0 else { return }
        switch errno {
        case ENOENT, ECONNREFUSED, ENOTDIR: throw .nobodyThere(path: path)
        case EACCES, EPERM: throw .notPermitted(path: path)
        default: throw .system(SystemError(call: "connect(\(path))", errno: errno))
        }
    }

    deinit { close(descriptor) }

    /// Sends a request and waits for what touchd answers; events that come before it are kept for `nextEvent()`.
    ///
    /// - Throws: A `ControlError` where touchd refuses, or a `Failure`.
    @discardableResult
    public func send(_ request: ControlRequest) throws -> JSONValue {
        try write(request.json.jsonLine + [UInt8(ascii: "\n")])
        while true {
            let line = try readLine()
            guard case .object(let object)? = JSONValue(line) else {
                throw Failure.notAnAnswer(String(decoding: line, as: UTF8.self))
            }
            if object["event"] != nil {
                events.append(line)
            } else if let result = object["result"] {
                return result
            } else if let error = object["error"] {
                throw try JSONDecoder().decode(ControlError.self, from: Data(error.jsonLine))
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
    public func status() throws -> StatusReport {
        try JSONDecoder().decode(StatusReport.self, from: Data(send(.status).jsonLine))
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
            } else if errno != EINTR {
                throw .system(SystemError(call: "send", errno: errno))
            }
        }
    }

    private func readLine() throws(Failure) -> [UInt8] {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                return line
            }
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
}
