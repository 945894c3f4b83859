import Synchronization

/// The currently running handler, for a watchdog on another thread.
///
/// Each handler costs two atomic stores and no allocation; names are kept in a table that grows only with layouts.
package nonisolated final class RunningHandler: Sendable {
    /// A snapshot of the running handler.
    package struct Glimpse: Sendable, Equatable {
        /// The handler's name.
        package let name: String
        /// The number of handlers that started before it: two snapshots with the same count saw the same run.
        package let count: Int
    }

    private let slot = Atomic(-1)
    private let count = Atomic(0)
    private let names = Mutex<[String]>([])

    init() {}

    /// The innermost handler that runs now; nil outside handlers.
    ///
    /// Call this on any thread. A handler is stuck if two snapshots with enough time between them are equal.
    package var current: Glimpse? {
        let slot = slot.load(ordering: .acquiring)
        let count = count.load(ordering: .acquiring)
        guard slot >= 0 else { return nil }
        return Glimpse(name: names.withLock { $0[slot] }, count: count)
    }

    /// The slot of a name in the table; adds the name on first use.
    func slot(for name: String) -> Int {
        names.withLock { names in
            if let known = names.firstIndex(of: name) { return known }
            names.append(name)
            return names.count - 1
        }
    }

    /// Records that a handler starts, and returns the slot of the handler it interrupts.
    func enter(_ new: Int) -> Int {
        count.wrappingAdd(1, ordering: .releasing)
        return slot.exchange(new, ordering: .acquiringAndReleasing)
    }

    /// Records that a handler has returned to the one it interrupted.
    func restore(to outer: Int) { slot.store(outer, ordering: .releasing) }
}
