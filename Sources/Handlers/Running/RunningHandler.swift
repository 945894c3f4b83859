import Synchronization

/// Which handler runs at the moment, for a watchdog on another thread.
///
/// Told with two atomic stores a handler, and nothing is allocated; names are kept in a table that only grows with layouts.
public nonisolated final class RunningHandler: Sendable {
    /// A look at what runs.
    public struct Glimpse: Sendable, Equatable {
        /// The handler's name.
        public let name: String
        /// How many handlers began before it: two looks with one count saw the same run.
        public let count: Int
    }

    private let slot = Atomic(-1)
    private let count = Atomic(0)
    private let names = Mutex<[String]>([])

    init() {}

    /// The handler that runs now, the innermost of several; nil outside of any.
    ///
    /// To be called on any thread. A handler is stuck if two looks that lie far enough apart are equal.
    public var current: Glimpse? {
        let slot = slot.load(ordering: .acquiring)
        let count = count.load(ordering: .acquiring)
        guard slot >= 0 else { return nil }
        return Glimpse(name: names.withLock { $0[slot] }, count: count)
    }

    /// The number by which a name is told from then on.
    func slot(for name: String) -> Int {
        names.withLock { names in
            if let known = names.firstIndex(of: name) { return known }
            names.append(name)
            return names.count - 1
        }
    }

    /// Notes that a handler begins, and answers which one it interrupts.
    func enter(_ new: Int) -> Int {
        count.wrappingAdd(1, ordering: .releasing)
        return slot.exchange(new, ordering: .acquiringAndReleasing)
    }

    /// Notes that a handler has returned to the one it interrupted.
    func leave(to outer: Int) { slot.store(outer, ordering: .releasing) }
}
