/// Limits how fast a page's requests reach touchd: a token bucket.
nonisolated struct RequestBudget {
    /// The units of a second. A request costs a unit, and one more for each 8 KiB, so a page can move its views 60 times a
    /// second beside its other requests.
    static let rate = 120.0
    /// The units that can be saved: a request of 1 MiB costs half of them.
    static let capacity = 256.0

    private var left = capacity
    private var time: Double

    /// Starts with the full budget.
    ///
    /// - Parameter time: Now, in seconds of any clock that does not jump.
    init(at time: Double) { self.time = time }

    /// Charges a request, and returns for how many seconds the next one must wait; 0 if it need not.
    mutating func charge(bytes: Int, at now: Double) -> Double {
        left = min(Self.capacity, left + max(0, now - time) * Self.rate)
        time = now
        left -= 1 + Double(bytes / 8192)
        return left >= 0 ? 0 : -left / Self.rate
    }
}
