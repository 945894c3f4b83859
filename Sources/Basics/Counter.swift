import Synchronization

/// A count of this process that the status of the service reports: `Counter.overruns.add()`.
///
/// Any module can declare one as a static property and count in it, on any thread. So a count that is deep in a decoder
/// needs no object that passes it on.
package final class Counter: Sendable {
    private let count = Atomic(0)

    /// Creates a counter that is 0.
    package init() {}

    /// The count.
    package var value: Int { count.load(ordering: .relaxed) }

    /// Counts one more.
    package func add() { count.wrappingAdd(1, ordering: .relaxed) }
}
