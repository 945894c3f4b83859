import Foundation
import Synchronization

/// A value that one thread sets once, and another waits for.
nonisolated final class Awaited<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ new: Value) {
        value.withLock { $0 = new }
        isSet.signal()
    }

    func wait() -> Value? {
        isSet.wait()
        return value.withLock { $0 }
    }
}
