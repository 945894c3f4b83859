import CLinux
import EventLoop
import Foundation
import Synchronization

/// A thread that waits for a moment that should never come: each `postpone(by:)` puts it off.
///
/// It waits in the kernel, reading a timerfd, and so costs nothing while all is well but one system call for each time the
/// moment is put off.
nonisolated final class LateAlarm: Sendable {
    private let descriptor: Int32
    private let isEnding = Atomic(false)

    /// Starts the thread; the moment is not set yet.
    ///
    /// - Parameter report: Called on that thread each time the moment comes.
    init(report: @escaping @Sendable () -> Void) throws(SystemError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC))
        if descriptor < 0 { throw SystemError(call: "timerfd_create", errno: errno) }
        let thread = Thread { [self] in wait(report) }
        thread.name = "late-alarm"
        // It calls a log and nothing deeper.
        thread.stackSize = 256 * 1024
        thread.start()
    }

    deinit { close(descriptor) }

    /// Sets the moment to so much later than now.
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

    private func wait(_ report: () -> Void) {
        var expirations: UInt64 = 0
        while true {
            let count = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
            if isEnding.load(ordering: .relaxed) { return }
            if count > 0 { report() } else if errno != EINTR { return }
        }
    }
}
