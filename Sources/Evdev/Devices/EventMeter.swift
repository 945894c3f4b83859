/// Counts a device's events by the second, to tell one that is broken from one that is busy.
struct EventMeter {
    /// Ten fingers that report six axes each a thousand times a second make 70,000; no panel reports so often.
    static let greatestRate = 250_000

    private var second: Int64 = .min
    private var count = 0

    /// Counts an event; answers the number in this second, once it is more than a device has to say.
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
