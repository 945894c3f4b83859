import ControlProtocol
import Evdev
import ArgumentParser
import CommandSupport
import Foundation

/// `touchd status`.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the running touchd: devices, touches, delays, handlers.",
        discussion:
            "Counts start when touchd starts; delays are from the kernel's timestamp of an event to its first handler.")

    @Flag(help: "Print JSON, one object; touchd-control(7) describes its keys.")
    var json = false

    @Flag(help: "Print OpenMetrics text, for Prometheus; touchd-metrics.timer writes it for node_exporter.")
    var metrics = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to replace, as a whole (default: standard output).", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var control: ControlOptions

    func run() throws {
        try control.run { connection in
            let report = try connection.status()
            let text =
                if metrics { OpenMetrics(report).text } else if json { report.jsonText(indented: true) + "\n" } else {
                    report.lines.joined(separator: "\n") + "\n"
                }
            if let output { try OutputFile.write(text, to: output) } else { print(text, terminator: "") }
        }
    }
}

extension StatusReport {
    /// The status as lines for people.
    var lines: [String] {
        var lines = ["touchd \(version), process \(process), running for \(Self.time(uptime))"]
        lines.append(
            "layout    \(layout ?? "none, built in code")"
                + (pages.isEmpty ? "" : ", page \(pages.joined(separator: ", "))"))
        if let layoutHash {
            lines.append("          " + (layoutVersion.map { "version \($0), " } ?? "") + "hash \(layoutHash)")
        }
        if let lastGood { lines.append("          this is the last good layout, saved at \(lastGood)") }
        if let refusal { lines.append("          the new layout was refused: \(refusal)") }
        if ignoring { lines.append("          touches are ignored now") }
        for device in devices where device.use != "ignored" {
            lines.append(
                "device    \(device.path)  \(device.name): \(device.use)" + (device.reason.map { ", \($0)" } ?? "")
                    + (device.held == true ? "; \(DeviceInfo.heldNote)" : "") + device.forwardWords)
        }
        if !devices.contains(where: { $0.use == "used" }) {
            lines.append("device    none in use; run 'touchd devices'")
        }
        lines.append(
            "touches   \(touches.began) began, \(touches.ended) ended, \(touches.cancelled) cancelled, "
                + "\(touches.down) down now; \(touches.perMinute) in the last minute"
                + (touches.stale > 0 ? "; \(touches.stale) dropped, because they waited too long for a handler" : ""))
        if let forwarding {
            let kept = forwarding.kept.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map {
                "\($0.value) \($0.key)"
            }
            lines.append(
                "forwarded \(forwarding.began) began, \(forwarding.ended) ended, \(forwarding.cancelled) were cancelled"
                    + (kept.isEmpty ? "" : "; not forwarded: \(kept.joined(separator: ", "))"))
        }
        if droppedPresses > 0 {
            lines.append("cooldown  \(droppedPresses) press\(droppedPresses == 1 ? "" : "es") dropped")
        }
        lines.append(
            "queue     \(Self.count(queue.frames, "frame")) waiting; \(Self.count(queue.coalescedMoves, "move")) coalesced"
        )
        lines.append("delay     " + Self.text(latency, of: "touch", "touches"))
        for handler in handlers {
            let failures = handler.failures == 0 ? "" : ", \(Self.count(handler.failures, "failure"))"
            lines.append("handler   \(handler.name): \(Self.text(handler.time, of: "run", "runs"))\(failures)")
        }
        if deviceErrors > 0 {
            lines.append("errors    \(Self.count(deviceErrors, "device failure"))")
        }
        if log.waiting + log.dropped > 0 {
            lines.append("log       \(log.waiting) entries waiting for journald, \(log.dropped) dropped")
        }
        lines.append(
            "control   \(control.clients) connected, \(control.subscribers) subscribed; \(control.droppedEvents) events "
                + "dropped, \(control.refused) refused")
        return lines
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func text(_ timing: Timing, of one: String, _ several: String) -> String {
        func milliseconds(_ seconds: Double) -> String { String(format: "%.3f", seconds * 1000) }
        return timing.count == 0
            ? "nothing measured yet"
            : "\(timing.count) \(timing.count == 1 ? one : several); median \(milliseconds(timing.p50)) ms, 99 % within \(milliseconds(timing.p99)) ms, "
                + "99.9 % within \(milliseconds(timing.p999)) ms, longest \(milliseconds(timing.longest)) ms"
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(seconds)
        return switch whole {
        case ..<60: "\(whole) s"
        case ..<3600: "\(whole / 60) min \(whole % 60) s"
        case ..<86_400: "\(whole / 3600) h \(whole / 60 % 60) min"
        default: "\(whole / 86_400) d \(whole / 3600 % 24) h"
        }
    }
}

extension StatusReport.Device {
    /// The state of its forwarding, after a semicolon; empty if its rule has no `forward`.
    fileprivate var forwardWords: String {
        switch (forward, forwardRemark) {
        case (nil, nil): ""
        case (let node?, nil): "; forwarded as \(node)"
        case (let node?, let remark?): "; \(node) \(remark)"
        case (nil, let reason?): "; not forwarded: \(reason)"
        }
    }
}
