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
        .nanoseconds(left.nanoseconds - right.nanoseconds)
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

/// The delays between retries: each is twice the previous one, up to a limit.
package struct RetryDelays: Sendable {
    private let first, longest: Duration
    private var upcoming: Duration

    /// - Parameters:
    ///   - first: The delay after the first failure.
    ///   - longest: The limit. The default is rare enough to cost nothing, and soon enough for a technician who waits at a
    ///     repaired screen.
    package init(first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
        self.first = first
        self.longest = longest
        upcoming = first
    }

    /// Returns the next delay, twice the previous one.
    package mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, longest) }
        return min(upcoming, longest)
    }

    /// Restarts with the first delay.
    package mutating func restart() { upcoming = first }

    /// Notes the end of a connection; one that lasted for a minute was not a failed attempt.
    package mutating func connectionEnded(from start: Deadline?) {
        if let start, Deadline.now - start > .seconds(60) { restart() }
    }
}

/// Limits how often something happens: on average `rate` times a second, and up to `capacity` times at once.
package struct TokenBucket: Sendable {
    private let rate, capacity: Double
    private var left: Double
    private var time: Deadline?

    /// Makes a full bucket.
    package init(rate: Double, capacity: Double) {
        self.rate = rate
        self.capacity = capacity
        left = capacity
    }

    /// Takes a token, if there is one.
    package mutating func take(at now: Deadline = .now) -> Bool {
        refill(at: now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }

    /// Takes tokens even if they are too few, and returns for how many seconds nothing more may be taken.
    package mutating func charge(_ tokens: Double, at now: Deadline = .now) -> Double {
        refill(at: now)
        left -= tokens
        return max(0, -left / rate)
    }

    private mutating func refill(at now: Deadline) {
        left = min(capacity, left + max(0, (now - (time ?? now)) / .seconds(1)) * rate)
        time = now
    }
}
