import Synchronization

/// Numbers recorded by any thread, in order of arrival.
final class LockedLog: Sendable {
    private let storage = Mutex<[Int]>([])

    var numbers: [Int] { storage.withLock { $0 } }

    func append(_ number: Int) { storage.withLock { $0.append(number) } }
}
