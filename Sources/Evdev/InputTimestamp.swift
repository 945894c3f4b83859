/// A moment on `CLOCK_MONOTONIC`, the clock of the kernel's input events, or on a recording's clock.
public struct InputTimestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the clock's start.
    public var microseconds: Int64

    /// Creates a timestamp from microseconds.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The same moment in seconds.
    public var seconds: Double { Double(microseconds) / 1_000_000 }

    /// The moment a number of microseconds later; the last possible one if that is later than the clock can say.
    public func adding(microseconds: Int64) -> InputTimestamp {
        let (sum, overflow) = self.microseconds.addingReportingOverflow(microseconds)
        return InputTimestamp(microseconds: overflow ? (microseconds > 0 ? .max : .min) : sum)
    }

    /// Nanoseconds since the clock's start, bounded by the numbers that exist.
    package var nanoseconds: Int64 {
        let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (microseconds > 0 ? .max : .min) : product
    }

    /// The earlier of two moments, of which each may be missing.
    static func earliest(_ left: Self?, _ right: Self?) -> Self? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
}
