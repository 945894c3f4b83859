import Histogram

/// Durations counted by HdrHistogram: two significant digits, from 1 µs to 1 min, in 20 kB allocated at startup.
///
/// Operators compare a kiosk's p99.9 from week to week, so an error of 1/16, as in the run loop's histogram, is too
/// coarse. Recording does not allocate.
nonisolated struct Durations {
    private static let longest: UInt64 = 60_000_000
    private var histogram = Histogram<UInt64>(highestTrackableValue: Self.longest, numberOfSignificantValueDigits: .two)
    /// Their sum in seconds.
    private(set) var sum = 0.0

    /// The number of recorded durations.
    var count: UInt64 { histogram.totalCount }

    /// Records a duration in nanoseconds; negative values count as 0, values above a minute as a minute.
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

    /// The duration that `percent` percent of the records do not exceed, in seconds; 0 without records.
    func percentile(_ percent: Double) -> Double {
        count == 0 ? 0 : Double(histogram.valueAtPercentile(percent)) / 1e6
    }

    /// The longest duration in seconds, to two significant digits.
    var longest: Double { count == 0 ? 0 : Double(histogram.max) / 1e6 }
}
