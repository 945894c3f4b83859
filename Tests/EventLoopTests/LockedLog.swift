import Synchronization

/// Numbers noted by any thread, in the order in which they came.
final class LockedLog: Sendable {
    private let storage = Mutex<[Int]>([])

    var numbers: [Int] { storage.withLock { $0 } }

    func append(_ number: Int) { storage.withLock { $0.append(number) } }
}
