import CLinux
import Glibc

/// Owns a timerfd: one absolute deadline on `CLOCK_MONOTONIC`, without the slack of an `epoll_wait` timeout.
///
/// The kernel may extend the timeout of a waiting call by a thousandth (`select_estimate_accuracy` in fs/select.c),
/// which is a second per quarter of an hour; a timerfd fires exactly. It is watched edge-triggered and never read:
/// setting it again resets it.
struct TimerDescriptor: ~Copyable {
    /// The timerfd.
    let descriptor: Int32

    init() throws(SystemError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        if descriptor < 0 { throw .last("timerfd_create") }
    }

    deinit { close(descriptor) }

    /// Sets the deadline; a past one fires immediately. Nil for never.
    func set(_ nanoseconds: Int64?) {
        var setting = itimerspec()
        if let nanoseconds {
            // Zero would disarm it: a deadline at or before the clock's start is set to 1 ns.
            let moment = max(nanoseconds, 1)
            setting.it_value.tv_sec = Int(moment / 1_000_000_000)
            setting.it_value.tv_nsec = Int(moment % 1_000_000_000)
        }
        let failed = timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
        precondition(failed == 0, "timerfd_settime failed with error number \(errno)")
    }
}
