import Glibc

/// A moment on `CLOCK_MONOTONIC`, the clock of input events: it does not jump when the wall clock is set, and stops while
/// the machine is suspended.
public struct Deadline: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's start.
    public let nanoseconds: Int64

    /// Creates a deadline from the clock's time.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The current time.
    public static var now: Deadline { Deadline(nanoseconds: nanoseconds(of: CLOCK_MONOTONIC)) }

    /// The deadline after a delay from now; on overflow, never.
    public static func after(_ delay: Duration) -> Deadline { .now + delay }

    /// Whether the deadline has passed.
    public var isPast: Bool { self <= .now }

    /// The deadline plus a delay; on overflow, never.
    public static func + (deadline: Deadline, delay: Duration) -> Deadline {
        let (sum, overflow) = deadline.nanoseconds.addingReportingOverflow(delay.clampedNanoseconds)
        return Deadline(nanoseconds: overflow ? (delay < .zero ? 0 : .max) : sum)
    }

    /// The time from the right deadline to the left one.
    public static func - (left: Deadline, right: Deadline) -> Duration {
        .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds)
    }

    /// Orders by time.
    public static func < (left: Deadline, right: Deadline) -> Bool { left.nanoseconds < right.nanoseconds }

    /// A clock's current time, in nanoseconds.
    static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        // Cannot fail: every kernel with pidfd_open has the clocks, and the pointer is valid.
        clock_gettime(clock, &time)
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
