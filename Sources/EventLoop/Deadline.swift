import Glibc

/// The clocks a run loop's timers can follow.
///
/// Neither jumps when the wall clock is set.
public enum RunLoopClock: Int32, Hashable, Sendable {
    /// `CLOCK_MONOTONIC`: stands still while the machine is suspended. The clock of input events.
    case monotonic = 1
    /// `CLOCK_BOOTTIME`: goes on while the machine is suspended, so a timer that fell due meanwhile fires on resume.
    case boottime = 7
}

/// A moment on a run loop's clock, in nanoseconds since that clock's start.
public struct Deadline: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's start.
    public let nanoseconds: Int64
    /// The clock that counts them.
    public let clock: RunLoopClock

    /// Makes a deadline from a clock's own count.
    public init(nanoseconds: Int64, clock: RunLoopClock = .monotonic) {
        self.nanoseconds = nanoseconds
        self.clock = clock
    }

    /// This moment.
    public static func now(on clock: RunLoopClock = .monotonic) -> Deadline {
        Deadline(nanoseconds: clock.nanoseconds, clock: clock)
    }

    /// This moment on `CLOCK_MONOTONIC`.
    public static var now: Deadline { .now(on: .monotonic) }

    /// The moment that is so far from now; a delay too long to count is never.
    public static func after(_ delay: Duration, on clock: RunLoopClock = .monotonic) -> Deadline {
        .now(on: clock) + delay
    }

    /// Whether the moment has come.
    public var isPast: Bool { nanoseconds <= clock.nanoseconds }

    /// The moment so much later; never, where the sum is too large to count.
    public static func + (deadline: Deadline, delay: Duration) -> Deadline {
        let (sum, overflow) = deadline.nanoseconds.addingReportingOverflow(delay.clampedNanoseconds)
        return Deadline(
            nanoseconds: overflow ? (delay < .zero ? 0 : .max) : sum, clock: deadline.clock)
    }

    /// How long after the right moment the left one is; both must be on one clock.
    public static func - (left: Deadline, right: Deadline) -> Duration {
        precondition(left.clock == right.clock, "deadlines of two clocks have no distance")
        return .nanoseconds(left.nanoseconds - right.nanoseconds)
    }

    /// Orders by time; both must be on one clock.
    public static func < (left: Deadline, right: Deadline) -> Bool {
        precondition(left.clock == right.clock, "deadlines of two clocks have no order")
        return left.nanoseconds < right.nanoseconds
    }
}

extension RunLoopClock {
    /// What the clock shows, in nanoseconds.
    var nanoseconds: Int64 {
        var time = timespec()
        // Cannot fail: both clocks exist on every kernel that has epoll_pwait2, and the pointer is good.
        clock_gettime(rawValue, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in whole nanoseconds, held to what an `Int64` can count (292 years).
    var clampedNanoseconds: Int64 {
        // A nanosecond is 2⁹ × 1,953,125 attoseconds. Shifted, an hour fits into 64 bits, which divide in a tenth of the
        // time that 128 take.
        if let shifted = Int64(exactly: attoseconds >> 9), shifted >= 0 { return shifted / 1_953_125 }
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || carried ? (seconds < 0 ? .min : .max) : sum
    }
}
