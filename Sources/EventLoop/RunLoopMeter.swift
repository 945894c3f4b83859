import Synchronization

/// Measures the duration of a loop's callbacks and the time for which the loop delays events.
///
/// A loop without a meter reads no clock. With a meter it reads `CLOCK_MONOTONIC` after each callback and each wake-up.
/// It belongs to the loop's thread.
public final class RunLoopMeter {
    /// The time since which a loop has been busy; can be read on any thread.
    package final class BusyTime: Sendable {
        /// On `CLOCK_MONOTONIC`; 0 while the loop waits.
        fileprivate let start = Atomic<Int64>(0)

        fileprivate init() {}

        /// When the loop woke up; nil while it waits for events.
        package var since: Deadline? {
            let start = start.load(ordering: .relaxed)
            return start == 0 ? nil : Deadline(nanoseconds: start)
        }
    }

    /// A callback that exceeded the budget.
    public struct Overrun: Sendable, Hashable {
        /// The name of the source or timer; `block`, `observer`, `main queue` or `job` for callbacks without a name.
        public let name: String
        /// Its duration, without the time that runs nested in it slept.
        public let duration: Duration
    }

    /// Since when the loop has been busy, for a watchdog on another thread.
    package let busyTime = BusyTime()
    /// How long the loop was busy per wake-up, which is the maximum delay of an event.
    public private(set) var latency = LatencyHistogram()

    private let limit: Int64
    private let report: (Overrun) -> Void
    private var mark: Int64 = 0
    private var wake: Int64 = 0

    /// Creates a meter for `EpollRunLoop.meter`.
    ///
    /// - Parameters:
    ///   - budget: The maximum duration of a callback. On a screen with 60 frames per second, a touch that is handled
    ///     within 16 ms is visible in the next frame.
    ///   - report: Called on the loop's thread after a callback that exceeded the budget.
    public init(budget: Duration = .milliseconds(16), report: @escaping (Overrun) -> Void = { _ in }) {
        limit = budget.clampedNanoseconds
        self.report = report
        wokeUp()
    }

    func wokeUp() {
        wake = Deadline.now.nanoseconds
        mark = wake
        busyTime.start.store(wake, ordering: .relaxed)
    }

    func willWait() {
        latency.record(nanoseconds: mark - wake)
        busyTime.start.store(0, ordering: .relaxed)
    }

    /// The loop waits again after its observers were called.
    func waits() { busyTime.start.store(0, ordering: .relaxed) }

    /// Records the end of a callback that began at the end of the last one, or at the wake-up.
    func ended(_ name: @autoclosure () -> String) {
        let now = Deadline.now.nanoseconds
        let duration = now - mark
        mark = now
        if duration > limit { report(Overrun(name: name(), duration: .nanoseconds(duration))) }
    }
}

/// Counts durations in buckets, for medians and rare extremes without keeping each value.
///
/// A bucket is a 64th of a power of two wide, so results are at most 1.6 % too large: operators compare a kiosk's
/// p99.9 from week to week. Durations over 68 s share the last bucket. The buckets take 16 kB, allocated at creation.
/// Recording is a shift and an addition and does not allocate.
public struct LatencyHistogram: Sendable {
    private static let steps = 64
    /// The powers of two from 2⁶ to 2³⁵, the values below them, and one bucket for the values above.
    private static let size = 31 * steps + 1
    private var counts = ContiguousArray<UInt64>(repeating: 0, count: size)

    /// The number of recorded durations.
    public private(set) var count: UInt64 = 0
    /// The longest recorded duration, exactly, in nanoseconds.
    public private(set) var longest: Int64 = 0
    /// The sum of the recorded durations, exactly, in nanoseconds.
    public private(set) var sum: Int64 = 0

    /// Creates an empty histogram.
    public init() {}

    /// Records a duration in nanoseconds; a negative one counts as zero.
    public mutating func record(nanoseconds: Int64) {
        let value = UInt64(max(nanoseconds, 0))
        counts[Self.bucket(of: value)] &+= 1
        count &+= 1
        longest = max(longest, nanoseconds)
        sum &+= max(nanoseconds, 0)
    }

    /// Records a duration.
    package mutating func record(_ duration: Duration) { record(nanoseconds: duration.clampedNanoseconds) }

    /// The duration that a share of the recorded ones did not exceed: 0.5 for the median, 0.999 for the worst in a
    /// thousand.
    ///
    /// Zero if nothing was recorded; never more than the longest.
    public func quantile(_ share: Double) -> Duration {
        let wanted = UInt64((Double(count) * min(max(share, 0), 1)).rounded(.up))
        var seen: UInt64 = 0
        for (bucket, number) in counts.enumerated() where number > 0 {
            seen += number
            if seen >= wanted { return .nanoseconds(min(Self.upperEnd(of: bucket), longest)) }
        }
        return .zero
    }

    /// Values below 64 have a bucket each; above, the six bits after the first one select the 64th.
    private static func bucket(of value: UInt64) -> Int {
        guard value >= UInt64(steps) else { return Int(value) }
        let power = 63 - value.leadingZeroBitCount
        return min((power - 5) * steps + Int(value >> UInt64(power - 6)) - steps, size - 1)
    }

    private static func upperEnd(of bucket: Int) -> Int64 {
        guard bucket >= steps else { return Int64(bucket) }
        guard bucket < size - 1 else { return .max }
        let shift = bucket / steps - 1
        let first = UInt64(steps + bucket % steps) << UInt64(shift)
        return Int64(first + (1 << UInt64(shift)) - 1)
    }
}

/// A count of this process that the status of the service reports: `Counter.overruns.add()`.
///
/// Any module can declare one as a static property and count in it, on any thread. So a count that is deep in a decoder
/// needs no object that passes it on.
package final class Counter: Sendable {
    private let count = Atomic(0)

    /// Creates a counter that is 0.
    package init() {}

    /// The count.
    package var value: Int { count.load(ordering: .relaxed) }

    /// Counts one more.
    package func add() { count.wrappingAdd(1, ordering: .relaxed) }
}
