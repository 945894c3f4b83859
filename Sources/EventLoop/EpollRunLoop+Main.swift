import CLinux
// For the linker: the hooks that CLinux declares are in libdispatch.
import Dispatch
import Glibc

extension EpollRunLoop {
    /// The main thread's loop, made when first asked for.
    ///
    /// It alone drains the main dispatch queue, in its common modes, so `DispatchQueue.main`, dispatch sources there and
    /// `@MainActor` tasks run in it, and `MainActor.assumeIsolated` holds in all its callbacks. It never finishes in a
    /// common mode. Nested in a block of the main queue or a main-actor task it cannot drain the queue any further
    /// (libdispatch does not re-enter); nested in a callback of another source it does.
    @MainActor public static let main: EpollRunLoop = {
        // The main actor's thread is the process's first; elsewhere the drain would corrupt the main queue.
        precondition(getpid() == gettid(), "EpollRunLoop.main is for the main thread")
        do {
            let loop = try EpollRunLoop()
            try loop.watch(_dispatch_get_main_queue_handle_4CF(), token: mainQueueToken)
            loop.drainsMainQueue = true
            loop.count(loop.commonModes, by: 1)
            return loop
        } catch {
            fatalError("the main run loop cannot be made: \(error)")
        }
    }()

    /// Runs what is in the main dispatch queue now, and answers whether it could.
    ///
    /// What comes meanwhile reports anew.
    func drainMainQueue() -> Bool {
        guard !commonModes.isDisjoint(with: current) else {
            hasMainQueueWaiting = true
            return false
        }
        // libdispatch reports whatever is left when the drain that is under way ends.
        guard !isDrainingMainQueue else { return false }
        isDrainingMainQueue = true
        call("main queue") { _dispatch_main_queue_callback_4CF(nil) }
        isDrainingMainQueue = false
        return true
    }
}
