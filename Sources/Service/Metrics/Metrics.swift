import EventLoop
import Evdev
import TouchKit

/// What is counted and timed of a daemon's work, from its start on.
///
/// Everything here is a number in place: counting a touch or a handler's run allocates nothing.
final class Metrics {
    /// What is known of one handler.
    struct Handler {
        var name: String
        /// How long its runs took.
        var durations = Durations()
        /// How often it failed, or a program or request of its.
        var failures = 0
    }

    /// How many touches entered a phase.
    private(set) var began = 0, moved = 0, ended = 0, cancelled = 0
    /// How many touches are down.
    var down: Int { began - ended - cancelled }
    private(set) var rate = TouchRate()
    /// From the kernel's stamp to the first line of a handler.
    private(set) var latency = Durations()
    /// The handlers that ran, or failed, in the order in which they first did.
    private(set) var handlers: [Handler] = []
    /// How many times a device failed.
    var deviceErrors = 0

    private let isLive: Bool
    private let started = Deadline.now

    /// - Parameter isLive: Whether events bear this machine's time; if not, nothing is said of latency.
    init(isLive: Bool) { self.isLive = isLive }

    /// How long the daemon has been at work, in seconds.
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

    /// Notes that a handler begins for something that the kernel saw at a moment, in seconds on its monotonic clock.
    func handlerBegins(for timestamp: Double) {
        guard isLive else { return }
        latency.record(nanoseconds: Deadline.now.nanoseconds - Int64(timestamp * 1e9))
    }

    /// Notes that a handler has run.
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
