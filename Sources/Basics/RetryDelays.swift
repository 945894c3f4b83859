/// The delays between retries: each is twice the previous one, up to a limit.
package struct RetryDelays: Sendable {
    private let first, longest: Duration
    private var upcoming: Duration

    /// - Parameters:
    ///   - first: The delay after the first failure.
    ///   - longest: The limit. The default is rare enough to cost nothing, and soon enough for a technician who waits at a
    ///     repaired screen.
    package init(first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
        self.first = first
        self.longest = longest
        upcoming = first
    }

    /// Returns the next delay, twice the previous one.
    package mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, longest) }
        return min(upcoming, longest)
    }

    /// Restarts with the first delay.
    package mutating func restart() { upcoming = first }

    /// Notes the end of a connection; one that lasted for a minute was not a failed attempt.
    package mutating func connectionEnded(after duration: Duration?) {
        if let duration, duration > .seconds(60) { restart() }
    }
}
