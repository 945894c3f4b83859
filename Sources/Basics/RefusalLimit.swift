/// Limits the log entries that others cause: some at once, then one every ten seconds with the number of those left out.
package struct RefusalLimit {
    private let noun: String
    private var bucket: TokenBucket
    private var skipped = 0

    package init(of noun: String = "refusals", atOnce capacity: Double = 10) {
        self.noun = noun
        bucket = TokenBucket(rate: 0.1, capacity: capacity)
    }

    /// The end of an entry; nil if what it reports is only counted.
    package mutating func ending() -> String? {
        guard bucket.take() else {
            skipped += 1
            return nil
        }
        defer { skipped = 0 }
        return skipped > 0 ? "; \(skipped) \(noun) before this one are not logged" : ""
    }
}
