/// The state of a running touchd as OpenMetrics text (openmetrics.io, version 1.0.0). It uses only features that
/// Prometheus' older text format (version 0.0.4) shares.
///
/// node_exporter's textfile collector reads the older format. It rejects a file with any type except counter, gauge,
/// histogram, summary or untyped, so `info` is not used. It ignores `# UNIT` and `# EOF` as comments. It reads counters
/// as untyped, because OpenMetrics declares their type under the name without `_total`.
package struct OpenMetrics {
    /// The text; ends with `# EOF`.
    package let text: String

    package init(_ report: StatusReport) {
        var families = Families()
        report.collect(into: &families, [])
        text = families.text + "# EOF\n"
    }
}

private typealias Labels = [(name: String, value: String)]

/// The text of each metric. All values of a metric follow its head.
private struct Families {
    private var places: [String: Int] = [:]
    private var texts: [String] = []
    var text: String { texts.joined() }

    mutating func add(_ metric: Metric, _ meaning: StaticString, _ labels: Labels, _ value: Any) {
        let name = "\(metric.name)"
        let place = places[name] ?? texts.count
        if place == texts.count {
            places[name] = place
            let help = "\(metric.help ?? meaning)"
            texts.append(
                "# TYPE \(name) \(metric.kind)\n" + (metric.isDuration ? "# UNIT \(name) seconds\n" : "")
                    + "# HELP \(name) \(help.prefix(1).uppercased())\(help.dropFirst()).\n")
        }
        func sample(_ suffix: String, _ more: Labels = [], is value: Any) {
            let labels = (labels + more).map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            texts[place] += "\(name)\(suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
        }
        if let timing = value as? StatusReport.Timing {
            for (quantile, value) in [("0.5", timing.p50), ("0.99", timing.p99), ("0.999", timing.p999)] {
                sample("", [("quantile", quantile)], is: timing.count == 0 ? "NaN" : "\(value)")
            }
            sample("_count", is: timing.count)
            sample("_sum", is: timing.sum)
        } else {
            sample(metric.kind == .counter ? "_total" : "", is: value)
        }
    }

    /// A label's value with backslashes, quotes and newlines escaped.
    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

/// Adds the metrics of a record, and of the records in it.
private struct MetricCollector<Record>: MemberVisitor {
    let record: Record
    var labels: Labels
    var families: Families

    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
    ) {
        let value = value(record)
        guard let metric = unit?.metric else {
            for record in (value as? any JSONRecord).map({ [$0] }) ?? value as? [any JSONRecord] ?? [] {
                record.collect(into: &families, labels)
            }
            return
        }
        if metric.kind == .label {
            labels.append(("\(metric.name)", "\(value)"))
        } else if let label = metric.label, let counts = value as? [String: Int] {
            for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
                families.add(metric, meaning, labels + [("\(label)", key)], count)
            }
        } else if let label = metric.label, let name = metric.value {
            families.add(metric, meaning, labels + [("\(label)", "\(name)")], value)
        } else {
            families.add(metric, meaning, labels, value)
        }
    }

    mutating func metric(_ name: StaticString, _ meaning: StaticString, _ samples: (Record) -> [MetricSample]) {
        for sample in samples(record) {
            families.add(Metric(kind: .gauge, name: name), meaning, sample.labels, sample.value)
        }
    }
}

extension JSONRecord {
    fileprivate func collect(into families: inout Families, _ labels: Labels) {
        var collector = MetricCollector(record: self, labels: labels, families: families)
        Self.members(&collector)
        families = collector.families
    }
}
