/// Limits how often something happens: on average `rate` times a second, and up to `capacity` times at once.
package struct TokenBucket: Sendable {
    private let rate, capacity: Double
    private var left: Double
    private var time: Double?

    /// Makes a full bucket.
    package init(rate: Double, capacity: Double) {
        self.rate = rate
        self.capacity = capacity
        left = capacity
    }

    /// Takes a token, if there is one.
    ///
    /// - Parameter now: The time in seconds of a clock that does not jump.
    package mutating func take(at now: Double) -> Bool {
        left = min(capacity, left + max(0, now - (time ?? now)) * rate)
        time = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
