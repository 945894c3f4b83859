import Synchronization

/// Which handler runs at the moment, known to every thread.
///
/// The thread that runs handlers only stores a number; whoever wants the name looks it up.
nonisolated final class RunningHandler: Sendable {
    private let slot = Atomic(-1)
    private let names = Mutex<[String]>([])

    /// The number by which a name is told from then on.
    func slot(for name: String) -> Int {
        names.withLock { names in
            if let known = names.firstIndex(of: name) { return known }
            names.append(name)
            return names.count - 1
        }
    }

    /// Notes that a handler begins, and answers which one it interrupts.
    func enter(_ new: Int) -> Int { slot.exchange(new, ordering: .acquiringAndReleasing) }

    /// Notes that a handler has returned to the one it interrupted.
    func leave(to outer: Int) { slot.store(outer, ordering: .releasing) }

    /// The name of the handler that runs now, the innermost of several; nil outside of any.
    var name: String? {
        let slot = slot.load(ordering: .acquiring)
        return slot < 0 ? nil : names.withLock { $0[slot] }
    }
}
