import ControlProtocol
import ArgumentParser
import CommandSupport
import Foundation

/// `touchd status`.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say how the running touchd is: devices, touches, delays, handlers.",
        discussion:
            "Times are since touchd started; delays are from the kernel's stamp of an event to its first handler.")

    @Flag(help: "Write JSON, one object; its keys are in docs/control-protocol.md.")
    var json = false

    @Flag(help: "Write OpenMetrics text, as --metrics-file of 'touchd run' has it.")
    var metrics = false

    @OptionGroup var control: ControlOptions

    func run() throws {
        try control.run { connection in
            let report = try connection.status()
            if metrics {
                print(OpenMetrics(report).text, terminator: "")
            } else if json {
                print(try report.jsonText)
            } else {
                for line in report.lines { print(line) }
            }
        }
    }
}

extension StatusReport {
    /// The status as lines for people.
    var lines: [String] {
        var lines = ["touchd \(version), process \(process), running for \(Self.time(uptime))"]
        lines.append(
            "layout    \(layout ?? "of a program's own")"
                + (pages.isEmpty ? "" : ", page \(pages.joined(separator: ", "))"))
        if let lastGood { lines.append("          this is the last good layout, stored \(lastGood)") }
        if let refusal { lines.append("          the last one was refused: \(refusal)") }
        if ignoring { lines.append("          touches are ignored at the moment") }
        for device in devices where device.use != "ignored" {
            lines.append(
                "device    \(device.path)  \(device.name): \(device.use)" + (device.reason.map { ", \($0)" } ?? "")
                    + (device.held == true
                        ? "; held by another process, which alone gets its events; find it by: fuser -v \(device.path)"
                        : ""))
        }
        if !devices.contains(where: { $0.use == "used" }) {
            lines.append("device    none is used; see 'touchd devices'")
        }
        lines.append(
            "touches   \(touches.began) began, \(touches.ended) ended, \(touches.cancelled) were cancelled, "
                + "\(touches.down) down now; \(touches.perMinute) in the last minute")
        lines.append(
            "queue     \(Self.count(queue.frames, "frame")) waiting; \(Self.count(queue.foldedMoves, "move")) folded")
        lines.append("delay     " + Self.words(latency, of: "touch", "touches"))
        for handler in handlers {
            let failures = handler.failures == 0 ? "" : ", \(Self.count(handler.failures, "failure"))"
            lines.append("handler   \(handler.name): \(Self.words(handler.time, of: "run", "runs"))\(failures)")
        }
        if deviceErrors > 0 {
            lines.append("errors    \(Self.count(deviceErrors, "failure")) of devices since it started")
        }
        if log.waiting + log.dropped > 0 {
            lines.append("log       \(log.waiting) entries wait for journald, \(log.dropped) were dropped")
        }
        lines.append(
            "control   \(control.clients) connected, \(control.subscribers) subscribed; \(control.droppedEvents) events "
                + "dropped, \(control.refused) turned away")
        return lines
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func words(_ timing: Timing, of one: String, _ several: String) -> String {
        func milliseconds(_ seconds: Double) -> String { String(format: "%.3f", seconds * 1000) }
        return timing.count == 0
            ? "nothing measured yet"
            : "\(timing.count) \(timing.count == 1 ? one : several); half within \(milliseconds(timing.p50)) ms, 99 % within \(milliseconds(timing.p99)) ms, "
                + "99.9 % within \(milliseconds(timing.p999)) ms, the longest \(milliseconds(timing.longest)) ms"
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
