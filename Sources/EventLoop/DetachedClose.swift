import Glibc
import Synchronization

/// Closes on a separate thread what other processes passed, and the sockets in which they may have left descriptors.
///
/// close(2) can wait as long as another process likes if it is the last one of a passed descriptor: a TCP socket with
/// unsent data waits for `SO_LINGER` (socket(7)), a file for its FUSE server. Closing a unix socket closes the
/// descriptors in packets that were not read. The thread that delivers touches closes neither.
package enum DetachedClose {
    /// The number of unfinished closes from which on nothing more is accepted that has to be closed here: fewer than the
    /// threads (`TasksMax=`) and descriptors of a service.
    static let limit = 32

    private struct State {
        /// What no thread has begun to close.
        var waiting: [[Int32]] = []
        var unfinished = 0
    }

    private static let state = Mutex(State())

    /// The number of closes that are not finished.
    package static var count: Int { state.withLock(\.unfinished) }
    /// Whether other processes hold up `limit` closes, so that nothing more should be accepted from any.
    package static var isFull: Bool { count >= limit }

    /// Closes descriptors, one after the other.
    package static func close(_ descriptors: [Int32]) {
        state.withLock {
            $0.waiting.append(descriptors)
            $0.unfinished += 1
        }
        // If no thread can be started, a later one closes them, too.
        try? DetachedThread.run {
            while let next = state.withLock({ $0.waiting.popLast() }) {
                for descriptor in next { Glibc.close(descriptor) }
                state.withLock { $0.unfinished -= 1 }
            }
        }
    }
}
