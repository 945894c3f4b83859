import CLinux
import Glibc

/// Calls a handler when the machine has resumed from suspend.
///
/// The kernel makes a timer with `TFD_TIMER_CANCEL_ON_SET` readable when the wall clock is set (timerfd_create(2)). It
/// also does so on resume, which moves the wall clock relative to `CLOCK_MONOTONIC` (`timekeeping_resume` calls
/// `timerfd_resume`). The clocks distinguish the two: only `CLOCK_BOOTTIME` advances during a suspend. Nothing is
/// polled.
///
/// A machine with neither a clock that runs during suspend nor a battery-backed one cannot detect it.
///
/// ```swift
/// try loop.add(ResumeSource { slept in print("suspended for", slept) })
/// ```
public final class ResumeSource: DescriptorBacked {
    /// The source that watches the timer's descriptor.
    public let descriptorSource: DescriptorSource

    /// Creates a source that reports suspensions from now on.
    ///
    /// - Parameter handler: Called on the loop's thread with the duration of the suspension.
    /// - Throws: If no descriptor is left.
    public init(handler: @escaping (_ slept: Duration) -> Void) throws(SystemError) {
        let timer = try Self.timer()
        var meter = SleepMeter()
        descriptorSource = DescriptorSource(name: "resume", owning: timer) { _ in
            // Rearms the timer for the next change; fails with ECANCELED, as expected.
            var expirations: UInt64 = 0
            _ = read(timer, &expirations, MemoryLayout<UInt64>.size)
            if let slept = meter.slept(until: .now) { handler(slept) }
        }
    }

    deinit { descriptorSource.invalidate() }

    /// Invalidates the source permanently.
    public func invalidate() { descriptorSource.invalidate() }

    /// Creates a timer that never fires and that the kernel makes readable whenever the wall clock is set.
    private static func timer() throws(SystemError) -> Int32 {
        let timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        if timer < 0 { throw .last("timerfd_create") }
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        // ECANCELED means that the clock was set meanwhile; the timer is armed anyway.
        guard timerfd_settime(timer, flags, &never, nil) == 0 || errno == ECANCELED else {
            let error = SystemError.last("timerfd_settime")
            close(timer)
            throw error
        }
        return timer
    }
}

/// Computes the time that the machine was suspended from two clocks.
struct SleepMeter {
    /// The difference between `CLOCK_BOOTTIME` and `CLOCK_MONOTONIC`: the total suspended time, in nanoseconds.
    struct Reading {
        var sleep: Int64

        /// Two clocks cannot be read at the same instant: takes the attempt with the shortest interruption.
        static var now: Reading {
            var best = (width: Int64.max, sleep: Int64(0))
            for _ in 0..<8 {
                let before = Deadline.now.nanoseconds
                let boot = Deadline.nanoseconds(of: CLOCK_BOOTTIME)
                let width = Deadline.now.nanoseconds - before
                if width < best.width { best = (width, boot - before - width / 2) }
            }
            return Reading(sleep: best.sleep)
        }
    }

    /// Reading both clocks takes a microsecond; a suspension takes at least some milliseconds.
    private static let least = 1_000_000
    private var last: Reading

    init(since start: Reading = .now) { last = start }

    /// The suspended time since the last call; nil if the machine was not suspended.
    mutating func slept(until now: Reading) -> Duration? {
        let slept = now.sleep - last.sleep
        guard slept >= Self.least else { return nil }
        last = now
        return .nanoseconds(slept)
    }
}
