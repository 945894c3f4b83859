import ControlProtocol
import EventLoop
import Foundation
import Service
import Synchronization

/// Receives the journal's entries on its own thread and counts their touches.
///
/// Nothing is read before `begin()`: until then entries wait, as for a slow journald.
nonisolated final class JournalReader: Sendable {
    /// The counts of the entries.
    struct Count: Sendable {
        var entries = 0, began = 0, ended = 0, cancelled = 0
    }

    /// The path of its socket.
    let path: String
    private let descriptor: Int32
    private let count = Mutex(Count())
    private let isReading = Atomic(false)
    private let isOver = DispatchSemaphore(value: 0)
    /// A datagram that is not an entry.
    private static let last = Array("\n".utf8)

    /// Creates the socket.
    init(path: String) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        let failed = LocalAddress(path)?.withSockaddr { bind(descriptor, $0, $1) }
        precondition(failed == 0, "cannot receive at \(path): error number \(errno)")
    }

    /// Starts reading, once.
    func begin() {
        guard !isReading.exchange(true, ordering: .relaxed) else { return }
        let thread = Thread { [self] in receive() }
        thread.stackSize = 256 * 1024
        thread.start()
    }

    /// The counts so far.
    var counted: Count { count.withLock { $0 } }

    /// Waits until everything sent so far is read, at most ten seconds, and stops reading.
    func finish() {
        begin()
        let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        defer { close(sender) }
        // It is queued behind all others, and waits for room.
        LocalAddress(path)?.withSockaddr { _ = sendto(sender, Self.last, Self.last.count, 0, $0, $1) }
        _ = isOver.wait(timeout: .now() + 10)
    }

    private func receive() {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let ids = [MessageID.touchBegan, .touchEnded, .touchCancelled].map {
            Array("MESSAGE_ID=\($0.rawValue)\n".utf8)
        }
        while true {
            let length = recv(descriptor, &bytes, bytes.count, 0)
            guard length > 0, !bytes[..<length].elementsEqual(Self.last) else { break }
            // The first field of a touch is the message on one line, and the second its message ID.
            let second = (bytes[..<length].firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
            let found = ids.firstIndex { bytes[second..<length].starts(with: $0) }
            count.withLock { count in
                count.entries += 1
                switch found {
                case 0: count.began += 1
                case 1: count.ended += 1
                case 2: count.cancelled += 1
                default: break
                }
            }
        }
        isOver.signal()
    }
}
