import Basics
import ControlProtocol
import Evdev
import Foundation

/// The current touches as lines for a terminal: the essentials of the page, for users who only have ssh.
struct TerminalView {
    private struct Seen {
        var latest: InspectionRecord.Touch
        var attachment: InspectionRecord.Attachment?
        var handlers: [String] = []
        var recognizers: [Int: InspectionRecord.Recognizer] = [:]
        /// The time when it ended; nil while it is down.
        var over: Double?
    }

    private let source: String
    private var touches: [Int: Seen] = [:]
    private var time = 0.0
    private var pages: [String] = []
    private var changed: [InspectionRecord.ViewState] = []
    private var waiting = 0
    private var latency: Double?
    private var dropped = 0
    private static let linger = 5.0

    /// Creates an empty view; `source` describes the touchd or recording that it shows.
    init(source: String) { self.source = source }

    /// Adds an event of the control socket; returns whether the view must be redrawn.
    mutating func update(_ line: [UInt8]) -> Bool {
        let event = try? JSONTree(line)
        if let record = try? event?.decode(InspectionRecord.self) {
            update(record)
            return true
        }
        guard event?["event"]?.string == "dropped" else { return false }
        dropped += event?["count"]?.number.flatMap { Int(exactly: $0) } ?? 0
        return true
    }

    private mutating func update(_ record: InspectionRecord) {
        time = record.time
        waiting = record.queue.frames
        latency = record.latency ?? latency
        pages = record.pages ?? pages
        changed = record.views ?? changed
        for latest in record.touches {
            var seen = touches[latest.touch] ?? Seen(latest: latest)
            seen.latest = latest
            seen.handlers += latest.handlers.map { "\($0) (\(latest.phase.rawValue))" }
            if let attachment = latest.attachment {
                seen.attachment = attachment
                for recognizer in attachment.recognizers { seen.recognizers[recognizer.recognizer] = recognizer }
            }
            if latest.phase.isLast { seen.over = record.time }
            touches[latest.touch] = seen
        }
        // A return to possible is not a decision.
        for change in record.changes where change.to != .possible {
            for touch in change.touches { touches[touch]?.recognizers[change.recognizer]?.state = change.to }
        }
        touches = touches.filter { time - ($0.value.over ?? time) <= Self.linger }
    }

    /// The current lines, cut to the size of the terminal, with the newest touches first.
    func lines(columns: Int, rows: Int) -> [String] {
        var lines = ["touchd inspect, \(source)"]
        var state = ["queue \(waiting)"]
        if let latency { state.append(String(format: "latency %.2f ms", latency * 1000)) }
        if !pages.isEmpty { state.append("page \(pages.joined(separator: ", "))") }
        if dropped > 0 { state.append("\(dropped) events missing") }
        lines.append(state.joined(separator: "   "))
        for view in changed {
            lines.append("\(view.view) is \(view.hidden ? "hidden" : "shown")\(view.enabled ? "" : ", disabled")")
        }
        if touches.isEmpty { lines += ["", "The screen is not touched."] }
        for (number, seen) in touches.sorted(by: { $0.key > $1.key }) {
            lines += ["", Self.headline(number, seen)] + Self.details(seen)
        }
        // Names come from files and devices and must not move the cursor.
        return lines.prefix(rows).map { String($0.withoutControls.prefix(columns)) }
    }

    private static func headline(_ number: Int, _ seen: Seen) -> String {
        let place = seen.latest.x.flatMap { x in seen.latest.y.map { y in String(format: " at (%.1f, %.1f)", x, y) } }
        let raw = seen.latest.raw.map { ", raw \($0.map(String.init).joined(separator: ", "))" } ?? ""
        return "touch \(number) \(seen.latest.phase.rawValue) on \(seen.latest.view ?? "no view")\(place ?? "")\(raw)"
    }

    private static func details(_ seen: Seen) -> [String] {
        var lines: [String] = []
        if let attachment = seen.attachment {
            lines.append("  responders  \(attachment.responders.joined(separator: " > "))")
            for recognizer in attachment.recognizers {
                let state = seen.recognizers[recognizer.recognizer]?.state ?? recognizer.state
                lines.append(
                    "  \(recognizer.id ?? recognizer.gesture) of \(recognizer.view ?? "no view"): \(state.rawValue)")
            }
        }
        if !seen.handlers.isEmpty { lines.append("  ran         \(seen.handlers.joined(separator: ", "))") }
        return lines
    }
}

/// `touchd inspect --terminal`: draws the current touches over the previous drawing.
struct TerminalInspection {
    private var view: TerminalView

    /// Creates an inspection of the touchd that listens at a path.
    init(of path: String) { view = TerminalView(source: path) }

    /// Draws every event until the connection ends.
    mutating func run(_ connection: ControlConnection) throws {
        try connection.send(.subscribe(to: .inspection, moves: true))
        draw()
        while true {
            if view.update(try connection.nextEvent()) { draw() }
        }
    }

    private func draw() {
        var size = winsize()
        let isTerminal = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && !Terminal.isDumb
        let lines = view.lines(
            columns: isTerminal ? Int(size.ws_col) : 200, rows: isTerminal ? Int(size.ws_row) - 1 : 100)
        // ECMA-48: cursor home, then each line with the rest erased, and finally the area below erased.
        let text =
            isTerminal
            ? "\u{1B}[H" + lines.map { "\($0)\u{1B}[K\n" }.joined() + "\u{1B}[J" : lines.joined(separator: "\n") + "\n"
        // Not printed, because print buffers.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
