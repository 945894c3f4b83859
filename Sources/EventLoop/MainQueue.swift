import CLinux
// For the linker: the functions that CLinux declares are in libdispatch.
import Dispatch
import Glibc

extension EpollRunLoop {
    /// The main thread's loop, created on first access.
    ///
    /// Only this loop drains the main dispatch queue, in its common modes. So `DispatchQueue.main`, its dispatch
    /// sources and `@MainActor` tasks run in it, and `MainActor.assumeIsolated` holds in all its callbacks. It never
    /// finishes in a common mode. A run nested in a block of the main queue or in a main-actor task cannot drain the
    /// queue (libdispatch is not reentrant); a run nested in a callback of another source can.
    @MainActor public static let main: EpollRunLoop = {
        // The main actor runs on the process's first thread; on another thread, draining would corrupt the main queue.
        precondition(getpid() == gettid(), "use EpollRunLoop.main only on the main thread")
        do {
            let loop = try EpollRunLoop()
            try loop.watch(_dispatch_get_main_queue_handle_4CF(), token: mainQueueToken)
            loop.drainsMainQueue = true
            loop.count(.common, by: 1)
            return loop
        } catch {
            fatalError("cannot create the main run loop: \(error)")
        }
    }()

    /// Drains the main dispatch queue; returns whether it could.
    ///
    /// Work that is added meanwhile is reported again.
    func drainMainQueue() -> Bool {
        guard !ModeSet.common.isDisjoint(with: current) else {
            hasMainQueueWaiting = true
            return false
        }
        // libdispatch reports remaining work when the current drain ends.
        guard !isDrainingMainQueue else { return false }
        isDrainingMainQueue = true
        call("main queue") { _dispatch_main_queue_callback_4CF(nil) }
        isDrainingMainQueue = false
        return true
    }
}

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
