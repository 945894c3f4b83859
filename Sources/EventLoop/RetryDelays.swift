/// The delays between retries: each is twice the previous one, up to a limit.
package struct RetryDelays: Sendable {
    // Rare enough to cost nothing, and soon enough for a technician who waits at a repaired screen.
    private static let longest = Duration.seconds(60)
    private let first: Duration
    private var upcoming: Duration

    /// - Parameter first: The delay after the first failure.
    package init(first: Duration = .seconds(1)) {
        self.first = first
        upcoming = first
    }

    /// Returns the next delay, twice the previous one, at most a minute.
    package mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, Self.longest) }
        return min(upcoming, Self.longest)
    }

    /// Restarts with the first delay.
    package mutating func restart() { upcoming = first }
}
