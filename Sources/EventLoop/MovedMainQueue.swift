import CLinux
import Dispatch

/// The main queue as the thread of a run loop that was made by its work.
///
/// After `dispatchMain()`, which a program with an asynchronous `main` calls, as a test's does, libdispatch does the main
/// queue's work on threads of its own, now on this one and now on that, one piece after another. What was made by one piece
/// may be used by the next.
struct MovedMainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private let isOwner = DispatchQueue.getSpecific(key: key) == true

    /// Whether the loop was made on a thread of libdispatch's, which may be anybody's later.
    var mayMove: Bool { isOwner && getpid() != gettid() }

    /// Whether the loop was made by work of the main queue, and so is what runs now.
    var goesOnHere: Bool {
        @inline(never) get { isOwner && DispatchQueue.getSpecific(key: Self.key) == true }
    }
}
