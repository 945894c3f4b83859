@testable import ControlProtocol
import EventLoop
import Foundation
import Testing
import TouchKit

@testable import Service
@testable import TestSupport

@Suite("Metrics") struct MetricsTests {
    private var report: StatusReport {
        let counts = Counts(isLive: true)
        counts.count(.began)
        counts.countTouch(on: "start")
        counts.countTouch(on: nil)
        counts.handlerRan("a \"quoted\" \\ name\nof two lines", for: .milliseconds(3))
        counts.countFailure(of: "fails")
        var busy = LatencyHistogram()
        busy.record(nanoseconds: 250_000_000)
        busy.record(nanoseconds: 500_000_000)
        var report = counts.current()
        (report.version, report.uptime) = ("1", 1.5)
        report.devices = [StatusReport.Device { ($0.name, $0.path) = ("n", "p") }]
        (report.deviceErrors, report.log.dropped) = (2, 3)
        (report.missingDevices, report.silentDevices) = (6, 7)
        (report.control.droppedEvents, report.control.refused) = (4, 5)
        report.loop = StatusReport.Timing(busy)
        return report
    }

    /// The samples that the OpenMetrics reference implementation in Python reads, one per line; it rejects invalid
    /// text.
    private func parsed(_ text: String, by parser: String) throws -> [String] {
        let program = """
            import sys
            from \(parser) import text_string_to_metric_families as parse
            for family in parse(sys.stdin.read()):
                for s in family.samples:
                    print(family.type, s.name, sorted(s.labels.items()), s.value)
            """
        let folder = try TemporaryFolder()
        let outcome = try TouchdProgram.run(
            ["-c", program], input: folder.file("metrics", text), program: "/usr/bin/python3")
        try #require(outcome.status == 0, "the parser refuses the text: \(outcome.errors)")
        return outcome.lines
    }

    @Test("the text is valid for the OpenMetrics parser", .needs("python3-prometheus-client"))
    func openMetrics() throws {
        let samples = try parsed(OpenMetrics(report).text, by: "prometheus_client.openmetrics.parser")
        #expect(samples.contains("counter touchd_touches_total [('phase', 'began')] 1"))
        #expect(samples.contains("gauge touchd_build_info [('version', '1')] 1"))
        #expect(samples.contains("counter touchd_device_errors_total [] 2"))
        #expect(samples.contains("gauge touchd_devices [('use', 'used')] 1"))
        #expect(samples.contains("gauge touchd_missing_devices [] 6"))
        #expect(samples.contains("gauge touchd_silent_devices [] 7"))
        #expect(samples.contains("counter touchd_view_touches_total [('view', 'start')] 1"))
        #expect(samples.contains("counter touchd_view_touches_total [('view', '')] 1"))
        #expect(
            samples.contains(
                #"summary touchd_handler_seconds_count [('handler', 'a "quoted" \\ name\nof two lines')] 1"#))
        #expect(samples.contains("counter touchd_handler_failures_total [('handler', 'fails')] 1"))
        #expect(samples.contains("summary touchd_latency_seconds [('quantile', '0.999')] nan"))
        #expect(samples.contains("summary touchd_loop_busy_seconds_sum [] 0.75"))
        #expect(samples.contains("summary touchd_loop_busy_seconds_count [] 2"))
    }

    @Test(
        "node_exporter's textfile collector reads every sample of the older format",
        .needs("python3-prometheus-client"))
    func prometheus() throws {
        let text = OpenMetrics(report).text
        let samples = try parsed(text, by: "prometheus_client.parser")
        let lines = text.split(separator: "\n")
        #expect(samples.count == lines.count { !$0.hasPrefix("#") })
        // Python's parser accepts any word as a type; Prometheus' own (expfmt's TextParser) rejects the file.
        let types = lines.map { $0.split(separator: " ") }.filter { $0.starts(with: ["#", "TYPE"]) }
        let known: Set<Substring> = ["counter", "gauge", "histogram", "summary", "untyped"]
        #expect(types.count > 10)
        #expect(types.filter { $0.count != 4 || !known.contains($0[3]) } == [])
        #expect(Set(types.map { $0[2] }).count == types.count, "a family has one type")
        // A summary needs both for its average.
        for type in types where type.last == "summary" {
            let names = Set(samples.map { $0.split(separator: " ")[1] })
            #expect(names.isSuperset(of: ["\(type[2])_count", "\(type[2])_sum"]))
        }
    }

    @Test("200 views are counted by name, and invented ones together")
    func views() {
        let counts = Counts(isLive: true)
        for number in 0..<1000 { counts.countTouch(on: "view \(number % 500)") }
        let views = counts.current().viewTouches
        #expect(views.count == 201)
        #expect(views["view 0"] == 2)
        #expect(views["…"] == 600)
    }

    @Test("touches per minute are those of the last minute")
    func rate() {
        var rate = TouchRate()
        func moment(_ seconds: Int64) -> Deadline { Deadline(nanoseconds: seconds * 1_000_000_000) }
        for second in stride(from: 1000 as Int64, to: 1060, by: 1) { rate.count(at: moment(second)) }
        var paused = rate
        let later = [1059, 1090, 1119].map { rate.perMinute(at: moment($0)) }
        // A slot of five seconds is dropped as a whole.
        #expect(later == [60, 25, 0])
        paused.count(at: moment(5000))
        let atOnce = paused.perMinute(at: moment(5000))
        #expect(atOnce == 1)
    }
}
