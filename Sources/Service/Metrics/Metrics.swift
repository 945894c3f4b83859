import EventLoop
import Evdev
import TouchKit

/// Counters and timings of a daemon since its start.
///
/// Counting a touch or a handler's run does not allocate.
package final class Metrics {
    /// The metrics of one handler.
    struct Handler {
        var name: String
        /// The durations of its runs.
        var durations = LatencyHistogram()
        /// How often it failed, including its programs and requests.
        var failures = 0
    }

    /// How many touches entered each phase.
    private(set) var began = 0, moved = 0, ended = 0, cancelled = 0
    /// How many touches are down.
    var down: Int { began - ended - cancelled }
    private(set) var rate = TouchRate()
    /// The time from the kernel's timestamp to the start of a handler.
    private(set) var latency = LatencyHistogram()
    /// The handlers that ran or failed, in the order of their first run or failure.
    private(set) var handlers: [Handler] = []
    /// How often a device failed.
    var deviceErrors = 0
    /// How many presses and runs were dropped because of a `cooldown`.
    var droppedPresses = 0

    /// How many touches were dropped because they had waited too long.
    var staleTouches = 0

    private let isLive: Bool
    private let started = Deadline.now

    /// - Parameter isLive: Whether timestamps are on this machine's clock; otherwise latency is not measured.
    package init(isLive: Bool) { self.isLive = isLive }

    /// The time since startup, in seconds.
    var uptime: Double { seconds(Deadline.now - started) }

    /// Counts a delivered touch.
    func count(_ phase: Touch.Phase) {
        switch phase {
        case .began:
            began += 1
            rate.count(at: .now)
        case .moved: moved += 1
        case .ended: ended += 1
        case .cancelled: cancelled += 1
        case .stationary: break
        }
    }

    /// How many touches began within the last minute.
    func touchesPerMinute() -> Int { rate.perMinute(at: .now) }

    /// Records the latency of a handler that starts. `timestamp` is the event's time in seconds on the kernel's
    /// monotonic clock.
    func handlerBegins(for timestamp: Double) {
        guard isLive else { return }
        latency.record(nanoseconds: Deadline.now.nanoseconds - Int64(timestamp * 1e9))
    }

    /// Records a finished run of a handler.
    func handlerRan(_ name: String, for duration: Duration) {
        handlers[index(of: name)].durations.record(duration)
    }

    /// Counts a failure of a handler.
    func countFailure(of name: String) { handlers[index(of: name)].failures += 1 }

    private func index(of name: String) -> Int {
        if let index = handlers.firstIndex(where: { $0.name == name }) { return index }
        handlers.append(Handler(name: name))
        return handlers.count - 1
    }
}

/// A duration in seconds.
nonisolated func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
}
