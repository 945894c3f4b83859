import CLinux
import Dispatch

/// The main queue as the owner of a run loop that was created by a block of the main queue.
///
/// A program with an asynchronous `main`, such as a test runner, calls `dispatchMain()`. Then libdispatch runs the main
/// queue's blocks on changing worker threads, one after another. An object created by one block may be used by the
/// next.
struct MovedMainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private let isOwner = DispatchQueue.getSpecific(key: key) == true

    /// Whether the loop was created on a worker thread of libdispatch, which may run other queues later.
    var mayMove: Bool { isOwner && getpid() != gettid() }

    /// Whether both the loop's creation and the current code are work of the main queue.
    var isCurrent: Bool {
        @inline(never) get { isOwner && DispatchQueue.getSpecific(key: Self.key) == true }
    }
}
