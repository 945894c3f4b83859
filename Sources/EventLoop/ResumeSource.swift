import CLinux
import Glibc

/// Calls a handler when the machine was suspended and runs again.
///
/// The kernel makes a timer with `TFD_TIMER_CANCEL_ON_SET` readable when the wall clock was set (timerfd_create(2)), and on
/// resume, which moves it against `CLOCK_MONOTONIC` (`timekeeping_resume` calls `timerfd_resume`). Which of both it was
/// say the clocks: `CLOCK_BOOTTIME` goes on in a suspended machine and `CLOCK_MONOTONIC` does not. Nothing is polled.
///
/// A machine that has neither a clock that runs while it is suspended nor a battery-backed one cannot tell.
public final class ResumeSource: DescriptorBacked {
    /// The source that watches the timer's descriptor.
    public let descriptorSource: DescriptorSource

    private let watch: ClockWatch

    /// Makes a source that reports suspensions from now on.
    ///
    /// - Parameter handler: Called on the loop's thread with how long the machine was suspended.
    /// - Throws: If there is no descriptor left.
    public init(handler: @escaping (_ slept: Duration) -> Void) throws(SystemError) {
        let watch = try ClockWatch()
        self.watch = watch
        var meter = SleepMeter()
        descriptorSource = DescriptorSource(name: "resume", descriptor: watch.descriptor) { _ in
            watch.acknowledge()
            if let slept = meter.slept(until: .now) { handler(slept) }
        }
    }

    deinit { descriptorSource.invalidate() }

    /// Ends the source for good.
    public func invalidate() { descriptorSource.invalidate() }
}

/// How much time the machine has spent suspended, told by two clocks.
struct SleepMeter {
    /// By how much `CLOCK_BOOTTIME` is ahead of `CLOCK_MONOTONIC`: all the time ever spent suspended, in nanoseconds.
    struct Reading {
        var sleep: Int64

        /// Two clocks cannot be read at once: of a few attempts, the one that was interrupted least.
        static var now: Reading {
            var best = (width: Int64.max, sleep: Int64(0))
            for _ in 0..<8 {
                let before = RunLoopClock.monotonic.nanoseconds
                let boot = RunLoopClock.boottime.nanoseconds
                let width = RunLoopClock.monotonic.nanoseconds - before
                if width < best.width { best = (width, boot - before - width / 2) }
            }
            return Reading(sleep: best.sleep)
        }
    }

    /// Reading both clocks takes a microsecond; no suspension takes less than some milliseconds.
    private static let least = 1_000_000
    private var last: Reading

    init(since start: Reading = .now) { last = start }

    /// How long the machine was suspended since it was asked last; nil if it was not.
    mutating func slept(until now: Reading) -> Duration? {
        let slept = now.sleep - last.sleep
        guard slept >= Self.least else { return nil }
        last = now
        return .nanoseconds(slept)
    }
}

/// Owns a timer that never fires, and which the kernel makes readable whenever the wall clock moved.
private final class ClockWatch {
    let descriptor: Int32

    init() throws(SystemError) {
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        if descriptor < 0 { throw .last("timerfd_create") }
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        // ECANCELED says that the clock moved meanwhile; the timer is set all the same.
        guard timerfd_settime(descriptor, flags, &never, nil) == 0 || errno == ECANCELED else {
            let error = SystemError.last("timerfd_settime")
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Has it wait for the next move; the read itself fails with ECANCELED, which is the news.
    func acknowledge() {
        var expirations: UInt64 = 0
        _ = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
    }
}
