import ControlProtocol
import EventLoop
import Foundation
import Service
import Synchronization

/// Receives what is sent to the journal, on a thread of its own, and counts the touches that it tells of.
///
/// Nothing is read before `begin()`: until then entries wait, as they do for a journald that is behind.
nonisolated final class JournalReader: Sendable {
    /// What the entries told.
    struct Count: Sendable {
        var entries = 0, began = 0, ended = 0, cancelled = 0
    }

    /// Where it receives.
    let path: String
    private let descriptor: Int32
    private let count = Mutex(Count())
    private let isReading = Atomic(false)
    private let isOver = DispatchSemaphore(value: 0)
    /// What no entry begins with.
    private static let last = Array("\n".utf8)

    /// Has a place to send to.
    init(path: String) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        let failed = LocalAddress(path)?.withSockaddr { bind(descriptor, $0, $1) }
        precondition(failed == 0, "cannot receive at \(path): error number \(errno)")
    }

    /// Begins to read, if it has not.
    func begin() {
        guard !isReading.exchange(true, ordering: .relaxed) else { return }
        let thread = Thread { [self] in receive() }
        thread.stackSize = 256 * 1024
        thread.start()
    }

    /// What the entries told so far.
    var counted: Count { count.withLock { $0 } }

    /// Waits until it has read all that was sent up to now, for ten seconds at most, and reads no more.
    func finish() {
        begin()
        let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        defer { close(sender) }
        // Comes behind all others, and waits for room among them.
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
            // Of a touch the first field is the message, in one line, and the second its identity.
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
