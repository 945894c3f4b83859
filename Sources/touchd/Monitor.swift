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
            Prints touches, gestures, devices, pages and messages that handlers publish, one line each with the time of day, until Ctrl-C. If \
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
                print(json ? String(decoding: line, as: UTF8.self) : MonitoredEvent(line).summary(at: .now))
                // A person or a program waits for each line.
                guard flush_standard_output() else { throw UnavailableError.noOutput() }
            }
        }
    }
}

/// An event from the control socket, for people.
struct MonitoredEvent {
    private let text: String

    /// The event under the time of day at which it arrived, in place of the kernel's clock.
    func summary(at date: Date) -> String {
        var parts = tm(), seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        localtime_r(&seconds, &parts)
        let milliseconds = Int((date.timeIntervalSince1970 - Double(seconds)) * 1000)
        let time = String(format: "%02d:%02d:%02d.%03d", parts.tm_hour, parts.tm_min, parts.tm_sec, milliseconds)
        return time + text.dropFirst(time.count)
    }

    init(_ line: [UInt8]) {
        let event = try? JSONTree(line), plain = String(decoding: line, as: UTF8.self)
        func text(_ name: String) -> String { event?[name]?.string ?? "" }
        // Below the views of touches.
        func aligned(_ text: String) -> String { String(repeating: " ", count: 14) + text }
        self.text =
            switch text("event") {
            case "touch": aligned((try? event?.decode(TouchRecord.self))?.words ?? plain)
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
            default: aligned(plain)
            }
    }
}
