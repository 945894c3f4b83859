import ControlProtocol
import EventLoop
import Foundation

/// Receives the journal's entries and counts their touches. Until it is drained entries wait, as for a slow journald.
final class JournalReader {
    private(set) var entries = 0
    /// The number of entries for touches that began, ended and were cancelled.
    private(set) var touches = [0, 0, 0]
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
    private var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    private let ids = [MessageID.touchBegan, .touchEnded, .touchCancelled].map {
        Array("MESSAGE_ID=\($0.rawValue)\n".utf8)
    }

    init(path: String) {
        let failed = LocalAddress(path)?.withSockaddr { bind(descriptor, $0, $1) }
        precondition(failed == 0, "cannot receive at \(path): error number \(errno)")
    }

    /// Reads all entries that have arrived.
    func drain() {
        while case let length = recv(descriptor, &bytes, bytes.count, 0), length > 0 {
            entries += 1
            // The first field of a touch is the message on one line, and the second its message ID.
            let second = (bytes[..<length].firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
            if let kind = ids.firstIndex(where: { bytes[second..<length].starts(with: $0) }) {
                touches[kind] += 1
            }
        }
    }
}
