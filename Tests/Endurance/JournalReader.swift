import ControlProtocol
import EventLoop
import Foundation
import Service
import Synchronization

/// Receives the journal's entries on its own thread, and counts those of touches that began, ended and were cancelled,
/// and the others.
///
/// Nothing is read before `begin()`: until then entries wait, as for a slow journald.
nonisolated final class JournalReader: Sendable {
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
    private let counts = Mutex([0, 0, 0, 0])
    private let isReading = Atomic(false)
    private let isOver = DispatchSemaphore(value: 0)

    init(path: String) {
        let failed = LocalAddress(path)?.withSockaddr { bind(descriptor, $0, $1) }
        precondition(failed == 0, "cannot receive at \(path): error number \(errno)")
    }

    /// Starts reading, once.
    func begin() {
        guard !isReading.exchange(true, ordering: .relaxed) else { return }
        Thread { [self] in receive() }.start()
    }

    /// Reads everything sent so far, and returns the counts.
    func finish() -> [Int] {
        begin()
        // What is queued can still be read; then the reader gets no bytes.
        shutdown(descriptor, Int32(SHUT_RD))
        isOver.wait()
        return counts.withLock { $0 }
    }

    private func receive() {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let ids = [MessageID.touchBegan, .touchEnded, .touchCancelled].map {
            Array("MESSAGE_ID=\($0.rawValue)\n".utf8)
        }
        while case let length = recv(descriptor, &bytes, bytes.count, 0), length > 0 {
            // The first field of a touch is the message on one line, and the second its message ID.
            let second = (bytes[..<length].firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
            let kind = ids.firstIndex { bytes[second..<length].starts(with: $0) } ?? 3
            counts.withLock { $0[kind] += 1 }
        }
        isOver.signal()
    }
}
