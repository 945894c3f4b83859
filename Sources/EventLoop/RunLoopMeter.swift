import Synchronization

/// Measures the duration of a loop's callbacks and the time for which the loop delays events.
///
/// A loop without a meter reads no clock. With a meter it reads `CLOCK_MONOTONIC` after each callback and each wake-up.
/// It belongs to the loop's thread.
///
/// ```swift
/// loop.meter = RunLoopMeter(budget: .milliseconds(16)) { overrun in print(overrun.name, "took", overrun.duration) }
/// ```
public final class RunLoopMeter {
    /// The time since which a loop has been busy; can be read on any thread.
    package final class BusyTime: Sendable {
        /// On `CLOCK_MONOTONIC`; 0 while the loop waits.
        fileprivate let start = Atomic<Int64>(0)

        fileprivate init() {}

        /// When the loop woke up; nil while it waits for events.
        package var since: Deadline? {
            let start = start.load(ordering: .relaxed)
            return start == 0 ? nil : Deadline(nanoseconds: start)
        }
    }

    /// A callback that exceeded the budget.
    public struct Overrun: Sendable, Hashable {
        /// The name of the source or timer; `block`, `observer`, `main queue` or `job` for callbacks without a name.
        public let name: String
        /// Its duration, without the time that runs nested in it slept.
        public let duration: Duration
    }

    /// Since when the loop has been busy, for a watchdog on another thread.
    package let busyTime = BusyTime()
    /// How long the loop was busy per wake-up, which is the maximum delay of an event.
    public private(set) var latency = LatencyHistogram()

    private let limit: Int64
    private let report: (Overrun) -> Void
    private var mark: Int64 = 0
    private var wake: Int64 = 0

    /// Creates a meter for `EpollRunLoop.meter`.
    ///
    /// - Parameters:
    ///   - budget: The maximum duration of a callback. On a screen with 60 frames per second, a touch that is handled
    ///     within 16 ms is visible in the next frame.
    ///   - report: Called on the loop's thread after a callback that exceeded the budget.
    public init(budget: Duration = .milliseconds(16), report: @escaping (Overrun) -> Void = { _ in }) {
        limit = budget.clampedNanoseconds
        self.report = report
        wokeUp()
    }

    func wokeUp() {
        wake = Deadline.now.nanoseconds
        mark = wake
        busyTime.start.store(wake, ordering: .relaxed)
    }

    func willWait() {
        latency.record(nanoseconds: mark - wake)
        busyTime.start.store(0, ordering: .relaxed)
    }

    /// The loop waits again after its observers were called.
    func waits() { busyTime.start.store(0, ordering: .relaxed) }

    /// Records the end of a callback that began at the end of the last one, or at the wake-up.
    func ended(_ name: @autoclosure () -> String) {
        let now = Deadline.now.nanoseconds
        let duration = now - mark
        mark = now
        if duration > limit { report(Overrun(name: name(), duration: .nanoseconds(duration))) }
    }
}
