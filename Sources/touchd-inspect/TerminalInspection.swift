import ControlProtocol
import Foundation
import Inspector

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
        let isTerminal = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
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
