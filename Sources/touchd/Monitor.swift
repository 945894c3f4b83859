import ControlProtocol
import ArgumentParser
import CLinux
import CommandSupport
import Foundation

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
        // It runs until it is ended, so that is no failure.
        for number in [SIGINT, SIGTERM] { signal(number) { _ in _exit(EX_OK) } }
        try control.run { connection in
            try connection.send(
                .subscribe(to: [.touches, .gestures, .controls, .devices, .pages, .idle, .published], moves: moves))
            while true {
                let line = try connection.nextEvent()
                let text = json ? line : Array(MonitoredEvent(line).summary.utf8)
                print(String(decoding: text, as: UTF8.self))
                // A person or a program waits for each line.
                guard flush_standard_output() else { throw UnavailableError.noOutput() }
            }
        }
    }
}

/// An event from the control socket, for people.
struct MonitoredEvent {
    let summary: String

    init(_ line: [UInt8]) {
        let event = try? JSONTree(line), plain = String(decoding: line, as: UTF8.self)
        func text(_ name: String) -> String { event?[name]?.string ?? "" }
        // Below the views of touches.
        func aligned(_ text: String) -> String { String(repeating: " ", count: 14) + text }
        summary =
            switch text("event") {
            case "touch": (try? event?.decode(TouchRecord.self))?.summary ?? plain
            case "gesture":
                aligned("\(text("gesture")) \(text("trigger")) on \(event?["view"]?.string ?? "no view")")
            case "control":
                aligned(
                    "\(event?["view"]?.string ?? "a control") \(text("control"))"
                        + (event?["on"]?.bool.map { $0 ? " on" : " off" } ?? ""))
            case "idle": aligned(text("trigger"))
            case "device": aligned("\(text("path")): \(text("name")) \(text("change"))")
            case "page": aligned("page \(text("page")) is shown")
            case "layout": aligned("\(text("layout")): layout loaded")
            case "published":
                aligned(
                    "published to \(text("topic")): "
                        + text("message").split(whereSeparator: \.isNewline).joined(separator: " "))
            case "dropped":
                aligned(
                    "(\((try? event?["count"]?.decode(Int.self)) ?? 0) lines are missing here: this program was too slow)"
                )
            default: plain
            }
    }
}
