/// Measures a loop: how long its callbacks take, and how long it keeps what is ready waiting.
///
/// A loop without a meter reads no clock. With one it reads `CLOCK_MONOTONIC` after each callback and each wake-up. It belongs
/// to the loop's thread.
public final class RunLoopMeter {
    /// A callback that took longer than the budget.
    public struct Overrun: Sendable, Hashable {
        /// The name of the source or timer; `block`, `observer`, `main queue` or `job` for what has none.
        public let name: String
        /// How long it took, without what nested runs in it slept.
        public let duration: Duration
    }

    /// How long a callback may take before it is reported.
    public let budget: Duration
    /// How long the loop was busy from each wake-up until it waited again, which is how long an event can have waited.
    public private(set) var latency = LatencyHistogram()
    /// How long each callback took.
    public private(set) var callbacks = LatencyHistogram()

    private let limit: Int64
    private let report: (Overrun) -> Void
    @exclusivity(unchecked) private var mark: Int64 = 0
    @exclusivity(unchecked) private var wake: Int64 = 0

    /// Makes a meter for `EpollRunLoop.meter`.
    ///
    /// - Parameters:
    ///   - budget: How long a callback may take. On a screen drawn 60 times a second a touch handled within 16 ms is still
    ///     seen in the next picture.
    ///   - report: Called on the loop's thread after a callback that took longer.
    public init(budget: Duration = .milliseconds(16), report: @escaping (Overrun) -> Void = { _ in }) {
        self.budget = budget
        self.limit = budget.clampedNanoseconds
        self.report = report
        wokeUp()
    }

    /// Forgets what was measured so far.
    public func reset() {
        latency.reset()
        callbacks.reset()
    }

    func wokeUp() {
        wake = RunLoopClock.monotonic.nanoseconds
        mark = wake
    }

    func willWait() { latency.record(nanoseconds: mark - wake) }

    /// Notes the end of a callback that began where the last one, or the wake-up, ended.
    func ended(_ name: @autoclosure () -> String) {
        let now = RunLoopClock.monotonic.nanoseconds
        let duration = now - mark
        mark = now
        callbacks.record(nanoseconds: duration)
        if duration > limit { report(Overrun(name: name(), duration: .nanoseconds(duration))) }
    }
}
