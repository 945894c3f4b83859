import Foundation

/// The state of a running touchd as OpenMetrics text (openmetrics.io, version 1.0.0). It uses only features that
/// Prometheus' older text format (version 0.0.4) shares.
///
/// node_exporter's textfile collector reads the older format. It rejects a file with any type except counter, gauge,
/// histogram, summary or untyped, so `info` is not used. It ignores `# UNIT` and `# EOF` as comments. It reads counters
/// as untyped, because OpenMetrics declares their type under the name without `_total`.
package struct OpenMetrics {
    /// The text; ends with `# EOF`.
    package private(set) var text = ""

    /// Formats a report.
    package init(_ report: StatusReport) {
        family("touchd_build_info", "gauge", "The running version.")
        sample("touchd_build_info", [("version", report.version)], "1")
        gauge("touchd_uptime_seconds", "How long touchd has been running.", report.uptime, unit: "seconds")
        if let hash = report.layoutHash {
            family("touchd_layout_info", "gauge", "The layout that is used.")
            sample("touchd_layout_info", [("version", report.layoutVersion ?? ""), ("hash", hash)], "1")
        }
        gauge(
            "touchd_layout_refused", "1 if the layout's files have an error, so that an older layout is used.",
            report.refusal == nil ? 0 : 1)

        family("touchd_touches", "counter", "Touches by the phases they entered.")
        for (phase, count) in [
            ("began", report.touches.began), ("moved", report.touches.moved), ("ended", report.touches.ended),
            ("cancelled", report.touches.cancelled),
        ] {
            sample("touchd_touches_total", [("phase", phase)], "\(count)")
        }
        counter(
            "touchd_stale_touches", "Touches dropped because a handler delayed them for too long.", report.touches.stale
        )
        gauge("touchd_touches_down", "Touches that are down.", Double(report.touches.down))

        if let forwarding = report.forwarding {
            family("touchd_forwarded_touches", "counter", "Touches by phase, as the program that draws received them.")
            for (phase, count) in [
                ("began", forwarding.began), ("ended", forwarding.ended), ("cancelled", forwarding.cancelled),
            ] {
                sample("touchd_forwarded_touches_total", [("phase", phase)], "\(count)")
            }
            family("touchd_kept_touches", "counter", "Touches that did not reach the program that draws.")
            for (reason, count) in forwarding.kept.sorted(by: { $0.key < $1.key }) {
                sample("touchd_kept_touches_total", [("reason", reason)], "\(count)")
            }
        }
        counter("touchd_dropped_presses", "Presses and runs dropped because of a cooldown.", report.droppedPresses)

        family("touchd_devices", "gauge", "Input devices by use.")
        for use in ["used", "ignored", "failed"] {
            sample("touchd_devices", [("use", use)], "\(report.devices.count { $0.use == use })")
        }
        counter("touchd_device_errors", "Device failures.", report.deviceErrors)

        gauge("touchd_queue_frames", "Queued device frames.", Double(report.queue.frames))
        gauge("touchd_queue_age_seconds", "Age of the oldest queued frame.", report.queue.oldest, unit: "seconds")
        counter(
            "touchd_queue_coalesced_moves", "Moves coalesced because the queue was full.", report.queue.coalescedMoves)

        summary(
            "touchd_latency_seconds", "From the kernel's timestamp of an event to the start of a handler.",
            [([], report.latency)])
        summary(
            "touchd_handler_seconds", "Run time of handlers.",
            report.handlers.map { ([("handler", $0.name)], $0.time) })
        family("touchd_handler_failures", "counter", "Failures of handlers, and of their programs and requests.")
        for handler in report.handlers {
            sample("touchd_handler_failures_total", [("handler", handler.name)], "\(handler.failures)")
        }
        summary(
            "touchd_loop_busy_seconds", "Busy time of the run loop, from wake-up to the next wait.",
            [([], report.loop)])

        gauge("touchd_log_waiting", "Journal entries waiting for journald.", Double(report.log.waiting))
        counter("touchd_log_dropped", "Dropped journal entries and output lines.", report.log.dropped)
        gauge("touchd_control_clients", "Programs connected to the control socket.", Double(report.control.clients))
        gauge(
            "touchd_control_subscribers", "Connected programs that subscribed to events.",
            Double(report.control.subscribers))
        counter(
            "touchd_control_dropped_events", "Events dropped because a client was too slow.",
            report.control.droppedEvents)
        counter("touchd_control_refused", "Clients refused, or closed because of an error.", report.control.refused)
        text += "# EOF\n"
    }

    private mutating func family(_ name: String, _ type: String, _ help: String, unit: String? = nil) {
        text += "# TYPE \(name) \(type)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: String) {
        let words = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += words.isEmpty ? "\(name) \(value)\n" : "\(name){\(words)} \(value)\n"
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: Double, unit: String? = nil) {
        family(name, "gauge", help, unit: unit)
        sample(name, [], "\(value)")
    }

    private mutating func counter(_ name: String, _ help: String, _ value: Int) {
        family(name, "counter", help)
        sample("\(name)_total", [], "\(value)")
    }

    private mutating func summary(
        _ name: String, _ help: String, _ rows: [(labels: [(String, String)], timing: StatusReport.Timing)]
    ) {
        family(name, "summary", help, unit: "seconds")
        for (labels, timing) in rows {
            for (quantile, value) in [("0.5", timing.p50), ("0.99", timing.p99), ("0.999", timing.p999)] {
                sample(name, labels + [("quantile", quantile)], timing.count == 0 ? "NaN" : "\(value)")
            }
            sample("\(name)_count", labels, "\(timing.count)")
            sample("\(name)_sum", labels, "\(timing.sum)")
        }
    }

    /// A label's value with backslashes, quotes and newlines escaped.
    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
