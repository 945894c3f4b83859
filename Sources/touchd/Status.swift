import Basics
import ControlProtocol
import Evdev
import ArgumentParser
import CommandSupport
import Foundation

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the running touchd: devices, touches, delays, handlers.",
        discussion:
            "Counts start when touchd starts; delays are from the kernel's timestamp of an event to its first handler.\n\nExample: touchd status --json"
    )

    @Flag(help: "Print JSON, one object; touchd-control(7) describes its keys.")
    var json = false

    @Flag(help: "Print OpenMetrics text, for Prometheus; touchd-metrics.timer writes it for node_exporter.")
    var metrics = false

    @OptionGroup var output: OutputOption

    @OptionGroup var control: ControlOptions

    func validate() throws {
        if json, metrics { throw ValidationError("--json and --metrics are two forms of one output; remove one") }
    }

    func run() throws {
        try control.run { connection in
            let report = try connection.status()
            let lines = report.lines.joined(separator: "\n")
            let text =
                if metrics { OpenMetrics(report).text } else if json { report.jsonText(indented: true) + "\n" } else {
                    (output.path == nil ? lines.fittedToTerminal : lines) + "\n"
                }
            try output.write(text)
        }
    }
}

extension StatusReport {
    /// The status as lines for people.
    var lines: [String] {
        var lines = ["touchd \(version), process \(process), running for \(Duration.roughText(seconds: uptime))"]
        lines.append(
            "layout    \(layout ?? "none, built in code")"
                + (pages.isEmpty ? "" : ", page \(pages.joined(separator: ", "))"))
        if let layoutHash {
            lines.append("          " + (layoutVersion.map { "version \($0), " } ?? "") + "hash \(layoutHash)")
        }
        if let lastGood { lines.append("          this is the last good layout, saved at \(lastGood)") }
        if let refusal { lines.append("          the new layout was refused: \(refusal)") }
        if ignoring { lines.append("          touches are ignored now") }
        if accommodations?.on == true { lines.append("          accommodations for trembling hands are on") }
        if talking?.on == true { lines.append("          the talking mode is on: fingers explore") }
        for device in devices where device.use != .ignored {
            lines.append(
                "device    \(device.path)  \(device.name): \(device.use.rawValue)"
                    + (device.reason.map { ", \($0)" } ?? "")
                    + (device.held == true ? "; \(DeviceInfo.heldNote)" : "") + device.forwardWords)
        }
        if !devices.contains(where: { $0.use == .used }) {
            lines.append("device    none in use; run 'touchd devices'")
        }
        let counts = counts
        lines += counts.lines
        if !counts.words.isEmpty { lines.append("counts    " + counts.words) }
        return lines
    }
}

/// The counts and durations of a record under the names of its table: `3 began, 1 ended`.
private struct CountVisitor<Record>: MemberVisitor {
    let record: Record
    /// Whether the record is the whole report, whose own numbers are shown only if they are counts above 0.
    var isReport = false
    var words: [String] = []
    /// A line for each group in the record.
    var lines: [String] = []

    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
    ) {
        let name = "\(name)", head = name.padding(toLength: max(9, name.count), withPad: " ", startingAt: 0) + " "
        switch value(record) {
        case let count as Int where count != 0 || !isReport:
            let noun = countedNouns[name].map { count == 1 ? $0.one : $0.other }
            words.append("\(count) \(noun ?? name)")
        case let seconds as Double where !isReport: words.append(String(format: "%.3f s ", seconds) + name)
        case is [String: Int] where name == "viewTouches": break
        case let counts as [String: Int]:
            words += counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\(name): \($0.value) \($0.key)" }
        case let timing as StatusReport.Timing: lines.append(head + timing.words)
        case let handlers as [StatusReport.Handler]:
            lines += handlers.map { "handler   \($0.name): \($0.time.words), \($0.counts.words)" }
        case let peers as [PeerState]: lines += peers.map { head + $0.words }
        case let group as any JSONRecord: lines.append(head + group.counts.words)
        default: break
        }
    }
}

extension JSONRecord {
    fileprivate var counts: (words: String, lines: [String]) {
        var counts = CountVisitor(record: self, isReport: self is StatusReport)
        Self.members(&counts)
        return (counts.words.joined(separator: ", "), counts.lines)
    }
}

/// What a member counts, for 1 and for other numbers; a member without a row is a word for both, such as `ended`.
private let countedNouns: [String: (one: String, other: String)] = [
    "perMinute": ("per minute", "per minute"), "frames": ("frame", "frames"),
    "coalescedMoves": ("coalesced move", "coalesced moves"), "failures": ("failure", "failures"),
    "clients": ("client", "clients"), "contacts": ("contact", "contacts"), "subscribers": ("subscriber", "subscribers"),
    "droppedEvents": ("dropped event", "dropped events"), "droppedPresses": ("dropped press", "dropped presses"),
    "deviceErrors": ("device error", "device errors"), "deviceOverruns": ("device overrun", "device overruns"),
    "missingDevices": ("missing device", "missing devices"), "silentDevices": ("silent device", "silent devices"),
]

extension StatusReport.Timing {
    fileprivate var words: String {
        func milliseconds(_ seconds: Double) -> String { String(format: "%.3f ms", seconds * 1000) }
        return count == 0
            ? "nothing measured yet"
            : "\(count) measured; median \(milliseconds(p50)), 99 % within \(milliseconds(p99)), "
                + "99.9 % within \(milliseconds(p999)), longest \(milliseconds(longest))"
    }
}

extension PeerState {
    fileprivate var words: String {
        "\(name): \(phase)" + (since.map { " since \($0)" } ?? "") + ", \(waiting) waiting, \(dropped) dropped"
            + (error.map { "; \($0)" } ?? "")
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
