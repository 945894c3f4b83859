import Basics
import CLinux
// For the linker: the functions that CLinux declares are in libdispatch.
import Dispatch
import Glibc

extension EpollRunLoop {
    // MARK: Blocks

    /// Performs a block once, in the loop's next pass in this mode, or in a common mode. Blocks run in the order in
    /// which they were added.
    ///
    /// Unlike CFRunLoopPerformBlock it needs no wake-up: the loop does not sleep while a block can run.
    public func perform(in mode: Mode = .default, _ block: @escaping () -> Void) {
        checkThread()
        blocks.append(in: ModeSet(mode), block)
    }

    /// Runs the waiting blocks of the current mode. A block added by a block waits for the next call.
    @inline(__always)
    func performBlocks() {
        if remoteQueue.hasOwnRing { collectRemoteBlocks() }
        if !blocks.isEmpty { performGivenBlocks() }
    }

    private func performGivenBlocks() {
        // Takes the current number of blocks from the front. A nested run continues at the same point.
        var left = blocks.count
        while left > 0, let block = blocks.popFirst(ifAllIn: current) {
            left -= 1
            call("block", block)
        }
        if left > 0 { for block in blocks.remove(in: current, among: left) { call("block", block) } }
    }

    // MARK: Other threads

    /// The part of a loop that other threads may use.
    ///
    /// It does not keep the loop alive; after the loop's deinitialization it does nothing.
    public struct Remote: Sendable {
        let remoteQueue: RemoteQueue

        /// Stops the innermost run at the time the loop receives the request; without a run, the next one.
        public func stop() { remoteQueue.stop() }

        /// Performs a block once on the loop's thread, in this mode, and wakes the loop. Blocks run in the order in
        /// which they were added. A thousand calls while the loop sleeps cost one system call.
        public func perform(in mode: Mode = .default, _ block: @escaping @Sendable () -> Void) {
            remoteQueue.post(RemoteQueue.Block(modes: ModeSet(mode), body: block))
        }

        /// Performs work on the main thread, in the common modes; the loop must be the main thread's.
        ///
        /// It is the way back for what another thread did for the main thread.
        package func performOnMain(_ block: @escaping @MainActor @Sendable () -> Void) {
            perform(in: .common) { MainActor.assumeIsolated { block() } }
        }
    }

    /// The part of the loop that other threads may use.
    public var remote: Remote { Remote(remoteQueue: remoteQueue) }

    /// Takes the blocks and requests of other threads; the blocks join the loop's own.
    func collectRemoteBlocks() {
        guard remoteQueue.isRinging else { return }
        if remoteQueue.drain(into: &remoteBlocks) { isStopped = true }
        guard !remoteBlocks.isEmpty else { return }
        for block in remoteBlocks { blocks.append(in: block.modes, block.body) }
        remoteBlocks.removeAll(keepingCapacity: true)
    }

    // MARK: The main dispatch queue

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
            // libdispatch traps if there is no descriptor left for its own.
            try requireDescriptors(1)
            try loop.watch(_dispatch_get_main_queue_handle_4CF(), token: mainQueueToken)
            loop.drainsMainQueue = true
            loop.count(.common, by: 1)
            return loop
        } catch {
            // Not a trap: what the machine lacks is no defect of the program.
            StandardError.write(line: "cannot create the main run loop: \(error)")
            exit(EX_OSERR)
        }
    }()

    /// Throws unless the process may open this many descriptors; a library that traps without them comes next.
    package static func requireDescriptors(_ count: Int) throws(SystemError) {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<count {
            let descriptor = eventfd(0, Int32(EFD_CLOEXEC))
            if descriptor < 0 { throw .last("eventfd") }
            opened.append(descriptor)
        }
    }

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
