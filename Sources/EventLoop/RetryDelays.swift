/// How long to wait from one try of something to the next: twice as long each time, up to the longest.
package struct RetryDelays: Sendable {
    // Rare enough to cost nothing, and soon enough for whoever stands before a dead screen and mends it.
    private static let longest = Duration.seconds(60)
    private let first: Duration
    private var upcoming: Duration

    /// - Parameter first: How long to wait after the first failure.
    package init(first: Duration = .seconds(1)) {
        self.first = first
        upcoming = first
    }

    /// Answers the next one, twice the one before, up to a minute.
    package mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, Self.longest) }
        return min(upcoming, Self.longest)
    }

    /// Begins with the first again.
    package mutating func restart() { upcoming = first }
}
