import ControlProtocol
import Evdev
import EventLoop
import TouchKit

/// The counts and measurements of a daemon since its start. The metrics that are written are in `StatusReport`.
///
/// It counts in the report that `status` answers with: `counts.deviceErrors += 1`. Counting a touch or a handler's run
/// does not allocate.
@dynamicMemberLookup
package final class Counts {
    /// The counts; what is not counted is set for each report.
    private var report = StatusReport()
    /// The durations of the runs of each handler in `report`.
    private var durations: [LatencyHistogram] = []
    private var rate = TouchRate()
    /// The time from the kernel's timestamp to the start of a handler.
    private var latency = LatencyHistogram()

    /// How many views are counted by name.
    private static let viewCapacity = 200

    private let isLive: Bool
    private let started = Deadline.now

    /// - Parameter isLive: Whether timestamps are on this machine's clock; otherwise latency is not measured.
    package init(isLive: Bool) { self.isLive = isLive }

    package subscript<Count>(dynamicMember path: WritableKeyPath<StatusReport, Count>) -> Count {
        get { report[keyPath: path] }
        set { report[keyPath: path] = newValue }
    }

    /// The report, with everything that is counted and measured here.
    func current() -> StatusReport {
        report.uptime = (Deadline.now - started) / .seconds(1)
        report.touches.down = report.touches.began - report.touches.ended - report.touches.cancelled
        report.touches.perMinute = touchesPerMinute()
        report.latency = StatusReport.Timing(latency)
        for (index, durations) in durations.enumerated() {
            report.handlers[index].time = StatusReport.Timing(durations)
        }
        return report
    }

    func count(_ phase: Touch.Phase) {
        switch phase {
        case .began:
            report.touches.began += 1
            rate.count(at: .now)
        case .moved: report.touches.moved += 1
        case .ended: report.touches.ended += 1
        case .cancelled: report.touches.cancelled += 1
        case .stationary: break
        }
    }

    /// Counts a touch that began on a view with this name, or outside of named views.
    func countTouch(on view: String?) {
        // A program can publish any number of views.
        let name = view ?? "", views = report.viewTouches.count
        let isKnown = views < Self.viewCapacity || report.viewTouches[name] != nil
        report.viewTouches[isKnown ? name : "…", default: 0] += 1
    }

    func touchesPerMinute() -> Int { rate.perMinute(at: .now) }

    /// Records the latency of a handler that starts. `timestamp` is the event's time in seconds on the kernel's
    /// monotonic clock.
    func handlerBegins(for timestamp: Double) {
        guard isLive else { return }
        latency.record(nanoseconds: Deadline.now.nanoseconds - Int64(timestamp * 1e9))
    }

    /// Records a finished run of a handler.
    func handlerRan(_ name: String, for duration: Duration) { durations[index(of: name)].record(duration) }

    func countFailure(of name: String) { report.handlers[index(of: name)].failures += 1 }

    private func index(of name: String) -> Int {
        if let index = report.handlers.firstIndex(where: { $0.name == name }) { return index }
        report.handlers.append(StatusReport.Handler { $0.name = name })
        durations.append(LatencyHistogram())
        return durations.count - 1
    }
}

nonisolated extension StatusReport.Timing {
    init(_ histogram: LatencyHistogram) {
        self.init()
        (count, sum) = (histogram.count, Double(histogram.sum) / 1e9)
        p50 = histogram.quantile(0.5) / .seconds(1)
        p99 = histogram.quantile(0.99) / .seconds(1)
        p999 = histogram.quantile(0.999) / .seconds(1)
        longest = Double(histogram.longest) / 1e9
    }
}

/// How many touches began within the last minute, to within five seconds.
struct TouchRate {
    private static let slot: Int64 = 5_000_000_000
    private var counts = [Int](repeating: 0, count: 12)
    /// The number of the current slot.
    private var current: Int64 = 0

    mutating func count(at moment: Deadline) {
        advance(to: moment)
        counts[Int(current % 12)] += 1
    }

    /// How many touches began within the minute before a moment.
    mutating func perMinute(at moment: Deadline) -> Int {
        advance(to: moment)
        return counts.reduce(0, +)
    }

    private mutating func advance(to moment: Deadline) {
        let now = moment.nanoseconds / Self.slot
        guard now > current else { return }
        for slot in max(current + 1, now - 11)...now { counts[Int(slot % 12)] = 0 }
        current = now
    }
}
