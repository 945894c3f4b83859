import ControlProtocol
import EventLoop
import Foundation
import Testing

/// A client's end of a connection to a server, with the test's own socket.
final class Connection {
    let descriptor: Int32
    private var unread = Data()

    /// Connects to a port of this machine.
    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        try finish(withLoopback(port: port) { connect(descriptor, $0, $1) })
    }

    /// Connects to a local socket.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        try finish(LocalAddress(path)?.withSockaddr { connect(descriptor, $0, $1) } ?? -1)
    }

    deinit { close(descriptor) }

    private func finish(_ failed: Int32) throws {
        guard failed == 0 else { throw CocoaError(.fileReadUnknown) }
        limitWaiting(of: descriptor)
    }

    /// Writes a text, as far as the other side accepts it.
    func write(_ text: String) { write(Data(text.utf8)) }

    func write(_ data: Data) {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads up to and including a text; everything if the other side closes the connection before.
    func read(until text: String) -> String {
        while true {
            if let range = unread.range(of: Data(text.utf8)) {
                return String(decoding: take(range.upperBound - unread.startIndex) ?? [], as: UTF8.self)
            }
            guard fill() else { return String(decoding: take(unread.count) ?? [], as: UTF8.self) }
        }
    }

    /// Reads until the other side closes the connection.
    func readToEnd() -> Data {
        while fill() {}
        return Data(take(unread.count) ?? [])
    }

    /// The next bytes; nil if the other side closes the connection before.
    func take(_ count: Int) -> [UInt8]? {
        while unread.count < count { guard fill() else { return nil } }
        defer { unread = Data(unread.dropFirst(count)) }
        return Array(unread.prefix(count))
    }

    /// Reads what has arrived; false if the other side has closed the connection.
    private func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count < 0, errno == EAGAIN { Issue.record("the server said nothing more") }
        if count > 0 { unread += bytes[..<count] }
        return count > 0
    }
}

/// A silent program then fails the test instead of blocking it.
func limitWaiting(of descriptor: Int32) {
    var limit = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
}
