/// Limits how often something happens: on average `rate` times a second, and up to `capacity` times at once.
package struct TokenBucket: Sendable {
    private let rate, capacity: Double
    private var left: Double
    private var time: SuspendingClock.Instant?

    /// Makes a full bucket.
    package init(rate: Double, capacity: Double) {
        self.rate = rate
        self.capacity = capacity
        left = capacity
    }

    /// Takes a token, if there is one.
    package mutating func take(at now: SuspendingClock.Instant = .now) -> Bool {
        refill(at: now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }

    /// Takes tokens even if they are too few, and returns for how many seconds nothing more may be taken.
    package mutating func charge(_ tokens: Double, at now: SuspendingClock.Instant = .now) -> Double {
        refill(at: now)
        left -= tokens
        return max(0, -left / rate)
    }

    private mutating func refill(at now: SuspendingClock.Instant) {
        left = min(capacity, left + max(0, (time ?? now).duration(to: now) / .seconds(1)) * rate)
        time = now
    }
}
