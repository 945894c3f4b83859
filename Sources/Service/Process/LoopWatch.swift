import CLinux
import EventLoop
import Foundation
import Glibc
import Synchronization

/// A thread that acts when the run loop is busy for too long, because a callback does not return.
///
/// It sleeps on a timerfd until the earliest moment at which a limit can be exceeded, and then reads since when the loop
/// has been busy. The loop does nothing for it: its meter records that anyway. Without limits it sleeps without a timeout.
nonisolated final class LoopWatch: Sendable {
    /// How long the loop may be busy without waiting for events, and what happens then.
    struct Limit: Sendable {
        let duration: Duration
        /// Whether to act again after the same time if the loop is still busy.
        var repeats = false
        let act: @Sendable () -> Void
    }

    private let busyTime: RunLoopMeter.BusyTime
    private let timer: Int32
    /// Nil ends the thread. Locked while the timer is set, so that no change is overlooked.
    private let limits = Mutex<[Limit]?>([])

    /// Starts the thread, without limits.
    ///
    /// - Throws: If there is no descriptor or no thread left.
    init(_ busyTime: RunLoopMeter.BusyTime) throws(SystemError) {
        self.busyTime = busyTime
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC))
        if timer < 0 { throw SystemError(call: "timerfd_create", errno: errno) }
        try DetachedThread.run { [self] in watch() }
    }

    deinit { close(timer) }

    /// Replaces the limits; nil ends the thread.
    func setLimits(_ limits: [Limit]?) {
        self.limits.withLock {
            $0 = limits
            wake(at: .now)
        }
    }

    private func watch() {
        var expirations: UInt64 = 0
        var last = Deadline.now
        while true {
            let now = Deadline.now
            let since = busyTime.since ?? now
            let exceeded = limits.withLock { limits -> [Limit]? in
                guard let limits else { return nil }
                wake(
                    at: limits.map { limit in
                        let end = since + limit.duration
                        return end > now ? end : now + limit.duration
                    }.min())
                // A limit that ended before the last look was exceeded then.
                return limits.filter { limit in
                    let end = since + limit.duration
                    return end <= now && (end > last || limit.repeats)
                }
            }
            guard let exceeded else { return }
            for limit in exceeded { limit.act() }
            last = now
            // Returns early for a signal, which only makes it look again.
            _ = read(timer, &expirations, MemoryLayout<UInt64>.size)
        }
    }

    /// Sets the timer; nil disarms it.
    private func wake(at deadline: Deadline?) {
        let nanoseconds = deadline?.nanoseconds ?? 0
        var setting = itimerspec()
        setting.it_value = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
}
