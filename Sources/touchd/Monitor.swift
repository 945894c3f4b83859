import ControlProtocol
import ArgumentParser
import CommandSupport
import Foundation

/// `touchd monitor`.
struct Monitor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Print touches and other events of the running touchd, live.",
        discussion: """
            Prints touches, gestures, devices, pages and messages that handlers publish, one line each, until Ctrl-C. If \
            this program is too slow, touchd drops lines and reports how many are missing.
            """)

    @Flag(help: "Print JSON, one object per line, as received from the socket.")
    var json = false

    @Flag(help: "Print moves, too.")
    var moves = false

    @OptionGroup var control: ControlOptions

    func run() throws {
        try control.run { connection in
            try connection.send(
                .subscribe(to: [.touches, .gestures, .controls, .devices, .pages, .idle, .published], moves: moves))
            while true {
                let line = try connection.nextEvent()
                let text = json ? line : Array(MonitoredEvent(line).summary.utf8)
                // Not printed, because print buffers: a person or a program waits for each line.
                try FileHandle.standardOutput.write(contentsOf: text + [UInt8(ascii: "\n")])
            }
        }
    }
}

/// An event from the control socket, for people.
struct MonitoredEvent {
    /// The event on one line.
    let summary: String

    init(_ line: [UInt8]) {
        let event = try? JSONTree(line)
        func text(_ name: String) -> String? { event?[name]?.string }
        summary =
            switch text("event") {
            case "touch": (try? event?.decode(TouchRecord.self))?.summary ?? Self.plain(line)
            case "gesture":
                "              \(text("gesture") ?? "gesture") \(text("trigger") ?? "") on \(text("view") ?? "no view")"
            case "control":
                "              \(text("view") ?? "a control") \(text("control") ?? "")"
                    + (event?["on"]?.bool.map { $0 ? " on" : " off" } ?? "")
            case "idle": "              \(text("trigger") ?? "")"
            case "device": "              \(text("path") ?? ""): \(text("name") ?? "") \(text("change") ?? "")"
            case "page": "              page \(text("page") ?? "") is shown"
            case "layout": "              \(text("layout") ?? ""): layout loaded"
            case "published":
                "              published to \(text("topic") ?? ""): \(Self.inLine(text("message") ?? ""))"
            case "dropped":
                "              (\(event?["count"].flatMap { try? $0.decode(Int.self) } ?? 0) lines are missing here: this program was too slow)"
            default: Self.plain(line)
            }
    }

    private static func plain(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

    private static func inLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
