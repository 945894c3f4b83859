import EventLoop
import Foundation
import Service
import Synchronization

/// Receives what is sent to the journal, on a thread of its own, and counts the touches that it tells of.
nonisolated final class JournalReader: Sendable {
    /// What the entries told.
    struct Count: Sendable {
        var entries = 0, began = 0, ended = 0, cancelled = 0

        /// How many of the entries are about touches.
        var touches: Int { began + ended + cancelled }
    }

    /// Where it receives.
    let path: String
    private let descriptor: Int32
    private let count = Mutex(Count())

    /// Begins to receive.
    init(path: String) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        let failed = LocalAddress(path)?.withSockaddr { bind(descriptor, $0, $1) }
        precondition(failed == 0, "cannot receive at \(path): error number \(errno)")
        let thread = Thread { [self] in receive() }
        thread.stackSize = 256 * 1024
        thread.start()
    }

    /// What the entries told so far.
    var counted: Count { count.withLock { $0 } }

    /// Waits until it was told so many phases of touches, for ten seconds at most.
    func wait(forTouches expected: Int) {
        let limit = Deadline.after(.seconds(10))
        while counted.touches < expected, !limit.isPast { usleep(1000) }
    }

    private func receive() {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let ids = [MessageID.touchBegan, .touchEnded, .touchCancelled].map {
            Array("MESSAGE_ID=\($0.rawValue)\n".utf8)
        }
        while true {
            let length = recv(descriptor, &bytes, bytes.count, 0)
            guard length > 0 else { return }
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
    }
}
