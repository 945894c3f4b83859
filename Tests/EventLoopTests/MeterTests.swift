import EventLoop
import Testing

@Suite("The meter")
struct MeterTests {
    @Test("a callback over the budget is reported with its source's name, others are not")
    func overrun() throws {
        let loop = try EpollRunLoop()
        var reports: [RunLoopMeter.Overrun] = []
        let meter = RunLoopMeter(budget: .milliseconds(5)) { reports.append($0) }
        loop.meter = meter
        let slow = SignalledSource(name: "slow") {
            let end = Deadline.after(.milliseconds(6))
            while !end.isPast {}
        }
        let quick = RunLoopTimer(name: "quick", after: .zero) { _ in loop.stop() }
        loop.add(slow)
        loop.add(quick)
        slow.signal()
        loop.run()
        #expect(reports.contains { $0.name == "slow" && $0.duration >= .milliseconds(6) })
        #expect(meter.latency.quantile(1) >= .milliseconds(6))
    }

    @Test("a histogram is at most a 64th too high, and never above the longest")
    func quantiles() {
        var histogram = LatencyHistogram()
        for value in 1...100_000 as ClosedRange<Int64> { histogram.record(nanoseconds: value) }
        for share in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999] {
            let exact = 100_000 * share
            let answered = Double(histogram.quantile(share).components.attoseconds) / 1e9
            #expect(answered >= exact && answered <= exact * 65 / 64 + 1, "\(share): \(answered)")
        }
        #expect(histogram.quantile(1) == .nanoseconds(100_000))
        #expect(histogram.count == 100_000)
        #expect(histogram.sum == 5_000_050_000)
        #expect(LatencyHistogram().quantile(0.5) == .zero)
    }

    @Test(
        "a histogram accepts every duration",
        arguments: [Int64.min, -1, 0, 1, 63, 64, 65, 127, 128, (1 << 36) - 1, 1 << 36, .max])
    func extremes(value: Int64) {
        var histogram = LatencyHistogram()
        histogram.record(nanoseconds: value)
        #expect(histogram.quantile(0.5) == .nanoseconds(max(value, 0)))
        #expect(histogram.sum == max(value, 0))
    }
}
