import Glibc

/// The clocks of a run loop's timers.
///
/// Neither jumps when the wall clock is set.
public enum RunLoopClock: Int32, Hashable, Sendable {
    /// `CLOCK_MONOTONIC`: stops while the machine is suspended. The clock of input events.
    case monotonic = 1
    /// `CLOCK_BOOTTIME`: continues while the machine is suspended, so a timer that became due then fires on resume.
    case boottime = 7
}

/// A moment on a run loop's clock, in nanoseconds since that clock's start.
public struct Deadline: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's start.
    public let nanoseconds: Int64
    /// The clock of the deadline.
    public let clock: RunLoopClock

    /// Creates a deadline from a clock's time.
    public init(nanoseconds: Int64, clock: RunLoopClock = .monotonic) {
        self.nanoseconds = nanoseconds
        self.clock = clock
    }

    /// The current time of a clock.
    public static func now(on clock: RunLoopClock = .monotonic) -> Deadline {
        Deadline(nanoseconds: clock.nanoseconds, clock: clock)
    }

    /// The current time of `CLOCK_MONOTONIC`.
    public static var now: Deadline { .now(on: .monotonic) }

    /// The deadline after a delay from now; on overflow, never.
    public static func after(_ delay: Duration, on clock: RunLoopClock = .monotonic) -> Deadline {
        .now(on: clock) + delay
    }

    /// Whether the deadline has passed.
    public var isPast: Bool { nanoseconds <= clock.nanoseconds }

    /// The deadline plus a delay; on overflow, never.
    public static func + (deadline: Deadline, delay: Duration) -> Deadline {
        let (sum, overflow) = deadline.nanoseconds.addingReportingOverflow(delay.clampedNanoseconds)
        return Deadline(
            nanoseconds: overflow ? (delay < .zero ? 0 : .max) : sum, clock: deadline.clock)
    }

    /// The time from the right deadline to the left one; both must be on one clock.
    public static func - (left: Deadline, right: Deadline) -> Duration {
        precondition(left.clock == right.clock, "deadlines of different clocks cannot be subtracted")
        return .nanoseconds(left.nanoseconds - right.nanoseconds)
    }

    /// Orders by time; both must be on one clock.
    public static func < (left: Deadline, right: Deadline) -> Bool {
        precondition(left.clock == right.clock, "deadlines of different clocks cannot be compared")
        return left.nanoseconds < right.nanoseconds
    }
}

extension RunLoopClock {
    /// The clock's current time, in nanoseconds.
    var nanoseconds: Int64 {
        var time = timespec()
        // Cannot fail: both clocks exist on every kernel with epoll_pwait2, and the pointer is valid.
        clock_gettime(rawValue, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in whole nanoseconds, clamped to `Int64` (292 years).
    var clampedNanoseconds: Int64 {
        // A nanosecond is 2⁹ × 1,953,125 attoseconds. Shifted, an hour fits into 64 bits, and a 64-bit division takes a
        // tenth of the time of a 128-bit one.
        if let shifted = Int64(exactly: attoseconds >> 9), shifted >= 0 { return shifted / 1_953_125 }
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || carried ? (seconds < 0 ? .min : .max) : sum
    }
}
