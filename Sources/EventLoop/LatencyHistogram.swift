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
    package init() {}

    /// Records a duration in nanoseconds; a negative one counts as zero.
    package mutating func record(nanoseconds: Int64) {
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
