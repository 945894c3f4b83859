import Synchronization

/// The currently running handler, for a watchdog on another thread.
package nonisolated final class RunningHandler: Sendable {
    private let name = Mutex<String?>(nil)

    /// The innermost handler that runs now; nil outside handlers. Call this on any thread.
    package var current: String? { name.withLock { $0 } }

    /// Records that a handler starts, or with nil that none runs any more; returns the one that ran before.
    @discardableResult
    func replace(with new: String?) -> String? {
        name.withLock { name in
            defer { name = new }
            return name
        }
    }
}
