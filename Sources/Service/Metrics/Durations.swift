import Histogram

/// Durations counted by HdrHistogram: to two digits, from a microsecond to a minute, in 20 kB that are there from the start.
///
/// A kiosk's p99.9 is compared from week to week, so it must not be a sixteenth off, as in the run loop's coarser count.
/// Recording allocates nothing.
nonisolated struct Durations {
    private static let longest: UInt64 = 60_000_000
    private var histogram = Histogram<UInt64>(highestTrackableValue: Self.longest, numberOfSignificantValueDigits: .two)
    /// Their sum in seconds.
    private(set) var sum = 0.0

    /// How many were recorded.
    var count: UInt64 { histogram.totalCount }

    /// Records a duration in nanoseconds; a negative one counts as none, one of more than a minute as a minute.
    mutating func record(nanoseconds: Int64) {
        let microseconds = min(UInt64(max(nanoseconds, 0)) / 1000, Self.longest)
        histogram.record(microseconds)
        sum += Double(max(nanoseconds, 0)) / 1e9
    }

    /// Records a duration.
    mutating func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        record(nanoseconds: seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
    }

    /// What so many in a hundred did not exceed, in seconds; 0 where nothing was recorded.
    func percentile(_ percent: Double) -> Double {
        count == 0 ? 0 : Double(histogram.valueAtPercentile(percent)) / 1e6
    }

    /// The longest, in seconds, to the histogram's two digits.
    var longest: Double { count == 0 ? 0 : Double(histogram.max) / 1e6 }
}
