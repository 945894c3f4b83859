@testable import ControlProtocol
import EventLoop
import Foundation

@testable import Service

/// A datagram socket in journald's place, with the kernel's shortest queue.
final class JournalReceiver {
    let path: String
    private var descriptor: Int32 = -1

    init(path: String? = nil) {
        self.path =
            path
            ?? FileManager.default.temporaryDirectory
            .appending(path: "touchd-\(UUID().uuidString.prefix(8)).journal").path
        open()
    }

    isolated deinit { close() }

    /// Starts receiving at the path.
    func open() {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        unlink(path)
        let failed = LocalAddress(path)?.withSockaddr { bind(descriptor, $0, $1) }
        precondition(failed == 0, "cannot bind \(path)")
    }

    /// Stops, as journald does while it is stopped.
    func close() {
        // Only once, because the number may be reused.
        guard descriptor >= 0 else { return }
        // A program that another test starts may hold a copy of it.
        shutdown(descriptor, Int32(SHUT_RDWR))
        Foundation.close(descriptor)
        descriptor = -1
        unlink(path)
    }

    /// Receives the waiting entries: their fields in order; nil for an entry that arrived in a file.
    func receive() -> [[String: String]] {
        var entries: [[String: String]] = []
        while let bytes = next() { entries.append(Self.fields(bytes)) }
        return entries
    }

    /// Receives one datagram, or the file that came with it.
    func next() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 256 * 1024)
        var control = [UInt8](repeating: 0, count: 64)
        return bytes.withUnsafeMutableBytes { buffer in
            control.withUnsafeMutableBytes { control in
                var piece = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
                return withUnsafeMutablePointer(to: &piece) { piece in
                    var message = msghdr()
                    message.msg_iov = piece
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    let count = recvmsg(descriptor, &message, 0)
                    guard count >= 0 else { return nil }
                    guard message.msg_controllen >= 20 else { return Array(buffer[..<count]) }
                    let file = FileHandle(
                        fileDescriptor: control.load(fromByteOffset: 16, as: Int32.self), closeOnDealloc: true)
                    lastFileSeals = fcntl(file.fileDescriptor, 1034 /* F_GET_SEALS */)
                    try? file.seek(toOffset: 0)
                    return (try? file.readToEnd()).map(Array.init)
                }
            }
        }
    }

    /// The seals of the last file.
    private(set) var lastFileSeals: Int32 = 0

    /// Parses an entry of journald's native protocol.
    static func fields(_ bytes: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        var rest = bytes[...]
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\n") }) {
            let name = String(decoding: rest[..<end], as: UTF8.self)
            let value: ArraySlice<UInt8>
            if rest[end] == UInt8(ascii: "=") {
                guard let newline = rest[end...].firstIndex(of: UInt8(ascii: "\n")) else { break }
                value = rest[(end + 1)..<newline]
            } else {
                let length = (0..<8).reduce(0) { $0 | Int(rest[end + 1 + $1]) << (8 * $1) }
                value = rest[(end + 9)..<(end + 9 + length)]
            }
            fields[name] = String(decoding: value, as: UTF8.self)
            precondition(rest[value.endIndex] == UInt8(ascii: "\n"), "a field ends with a newline")
            rest = rest[(value.endIndex + 1)...]
        }
        return fields
    }
}
