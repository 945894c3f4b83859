import CLinux
import EventLoop
import Foundation
import Synchronization

/// A thread that gives the panels back to the program that draws the screen if the main thread does not return.
///
/// The main thread marks each pass of its run loop with two atomic stores. The guardian looks four times a second while
/// the run loop is in use, and sleeps without a timeout while it is idle.
nonisolated final class Guardian: Sendable {
    /// How long the main thread may be busy.
    static let defaultTimeout = Duration.seconds(1)

    private let wake: Int32
    /// Twice the number of the pass, plus 1 while the main thread is busy.
    private let beat = Atomic<UInt64>(0)
    private let isAsleep = Atomic(false)
    private let isEnding = Atomic(false)
    private let panels = Mutex<[GuardedPanel]>([])
    private let timeout: Int64
    private let report: @Sendable (GuardedPanel) -> Void

    /// Starts the thread.
    /// - Parameters:
    ///   - timeout: How long the main thread may be busy.
    ///   - report: Called on the guardian's thread after it has released a panel.
    init(
        timeout: Duration = Guardian.defaultTimeout, report: @escaping @Sendable (GuardedPanel) -> Void
    ) throws(SystemError) {
        wake = eventfd(0, Int32(EFD_CLOEXEC))
        if wake < 0 { throw SystemError(call: "eventfd", errno: errno) }
        self.timeout = Int64(timeout / .milliseconds(1)) * 1_000_000
        self.report = report
        let thread = Thread { [self] in watch() }
        thread.name = "guardian"
        // It only logs, so a small stack is enough.
        thread.stackSize = 256 * 1024
        thread.start()
    }

    deinit { close(wake) }

    /// Ends the thread.
    func end() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        notify()
    }

    // The lock is never taken in an event's path; the guardian holds it for a few system calls.

    /// Whether it sleeps until the run loop is in use again.
    var isSleeping: Bool { isAsleep.load(ordering: .sequentiallyConsistent) }

    /// Watches over a panel.
    func add(_ panel: GuardedPanel) { panels.withLock { $0.append(panel) } }

    /// Leaves a panel alone; the guardian does not use it afterwards.
    func remove(_ panel: GuardedPanel) { panels.withLock { $0.removeAll { $0 === panel } } }

    /// Called on the main thread after it woke up (`isBusy`) and before it sleeps.
    func mark(pass: UInt64, isBusy: Bool) {
        beat.store(pass << 1 | (isBusy ? 1 : 0), ordering: .sequentiallyConsistent)
        if isBusy, isAsleep.load(ordering: .sequentiallyConsistent) {
            isAsleep.store(false, ordering: .relaxed)
            notify()
        }
    }

    private func notify() {
        var one: UInt64 = 1
        _ = write(wake, &one, MemoryLayout<UInt64>.size)
    }

    private func watch() {
        let step = Int32(max(timeout / 4_000_000, 1))
        var last = beat.load(ordering: .sequentiallyConsistent)
        var since = Deadline.now.nanoseconds
        while true {
            wait(step)
            if isEnding.load(ordering: .sequentiallyConsistent) { return }
            let now = Deadline.now.nanoseconds
            let current = beat.load(ordering: .sequentiallyConsistent)
            if current != last {
                (last, since) = (current, now)
            } else if now - since >= timeout {
                if current & 1 == 1 { releaseAll() } else { sleep(while: current) }
            }
        }
    }

    private func wait(_ milliseconds: Int32) {
        var descriptor = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else { return }
        var count: UInt64 = 0
        _ = read(wake, &count, MemoryLayout<UInt64>.size)
    }

    /// Waits until the run loop is in use again.
    private func sleep(while current: UInt64) {
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        // A pass that began before the store does not wake the guardian.
        if beat.load(ordering: .sequentiallyConsistent) == current { wait(-1) }
        isAsleep.store(false, ordering: .sequentiallyConsistent)
    }

    private func releaseAll() {
        let released = panels.withLock { $0.filter { $0.release() } }
        for panel in released { report(panel) }
    }
}
