/// Limits the log entries about refusals: ten at once, then one every ten seconds with the number of the others.
package struct RefusalLimit {
    private var bucket = TokenBucket(rate: 0.1, capacity: 10)
    private var skipped = 0

    package init() {}

    /// The end of a refusal's entry; nil if the refusal is only counted.
    package mutating func ending() -> String? {
        guard bucket.take() else {
            skipped += 1
            return nil
        }
        defer { skipped = 0 }
        return skipped > 0 ? "; \(skipped) refusals before this one are not logged" : ""
    }
}
