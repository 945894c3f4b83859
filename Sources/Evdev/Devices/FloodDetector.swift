/// Counts a device's events per second, to detect a broken device.
struct FloodDetector {
    /// Ten fingers with six axes each at 1000 Hz produce 70,000 events; no panel reports that often.
    private static let greatestRate = 250_000

    private var second: Int64 = .min
    private var count = 0

    /// Counts an event; returns the number in this second once it exceeds the limit.
    mutating func excess(at time: InputTimestamp) -> Int? {
        let current = time.microseconds / 1_000_000
        if current != second {
            second = current
            count = 0
        }
        count += 1
        return count > Self.greatestRate ? count : nil
    }
}
