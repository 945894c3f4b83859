import CLinux
import EventLoop
import Foundation
import Synchronization

/// A thread that reports when a deadline passes; each `postpone(by:)` moves the deadline.
///
/// The thread blocks in read(2) on a timerfd. In normal operation the cost is one system call per postponement.
nonisolated final class LateAlarm: Sendable {
    private let descriptor: Int32
    private let isEnding = Atomic(false)

    /// Starts the thread; no deadline is set yet.
    ///
    /// - Parameter report: Called on that thread each time a deadline passes; returns the time to the next deadline, or
    ///   nil for none.
    init(report: @escaping @Sendable () -> Duration?) throws(SystemError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC))
        if descriptor < 0 { throw SystemError(call: "timerfd_create", errno: errno) }
        let thread = Thread { [self] in wait(report) }
        thread.name = "late-alarm"
        // The thread only logs, so a small stack is enough.
        thread.stackSize = 256 * 1024
        thread.start()
    }

    deinit { close(descriptor) }

    /// Sets the deadline to `delay` from now.
    func postpone(by delay: Duration) {
        let (seconds, attoseconds) = delay.components
        set(timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000)))
    }

    /// Ends the thread.
    func end() {
        isEnding.store(true, ordering: .relaxed)
        set(timespec(tv_sec: 0, tv_nsec: 1))
    }

    private func set(_ delay: timespec) {
        var setting = itimerspec()
        setting.it_value = delay
        timerfd_settime(descriptor, 0, &setting, nil)
    }

    private func wait(_ report: () -> Duration?) {
        var expirations: UInt64 = 0
        while true {
            let count = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
            if isEnding.load(ordering: .relaxed) { return }
            if count > 0 {
                if let delay = report() { postpone(by: delay) }
            } else if errno != EINTR {
                return
            }
        }
    }
}
