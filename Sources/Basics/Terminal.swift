import Glibc

/// The abilities of the terminal of standard output.
package enum Terminal {
    /// Its width: that of COLUMNS or of the terminal, otherwise 80.
    package static var columns: Int {
        var size = winsize()
        let given = variable("COLUMNS").flatMap { Int($0) } ?? 0
        if given > 0 { return given }
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Whether it understands no escapes (terminfo(5), "dumb").
    package static var isDumb: Bool { variable("TERM") == "dumb" }

    /// The sign between a width and a height: `x` where the locale has only ASCII.
    package static var times: String {
        let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG")
        return locale == "C" || locale == "POSIX" ? "x" : "×"
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension String {
    /// The text for standard output: in lines that fit if that is a terminal, whole in a pipe or a file.
    package var fittedToTerminal: String { isatty(STDOUT_FILENO) == 1 ? folded(to: Terminal.columns) : self }

    /// The text in lines that fit into a number of columns, for a narrow terminal; a longer word stays whole.
    ///
    /// What follows the first gap in a line, as the meaning of an option, keeps its column if that has room, and otherwise
    /// begins below.
    package func folded(to columns: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.folded(to: columns) }.joined(separator: "\n")
    }
}

extension Substring {
    fileprivate func folded(to columns: Int) -> String {
        guard count > columns else { return String(self) }
        let margin = prefix { $0 == " " }.count
        var indent = margin > columns / 4 ? 6 : margin
        var text = dropFirst(margin), line = String(repeating: " ", count: indent), lines: [String] = []
        if let gap = text.firstRange(of: "  ") {
            let label = String(repeating: " ", count: margin) + text[..<gap.lowerBound]
            text = text[gap.upperBound...].drop { $0 == " " }
            let column = count - text.count, hasRoom = column <= columns * 2 / 5
            indent = hasRoom ? column : margin + 4
            line = hasRoom ? label + String(repeating: " ", count: column - label.count) : ""
            if !hasRoom {
                lines.append(label)
                line = String(repeating: " ", count: indent)
            }
        }
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + word.count >= columns {
                lines.append(line)
                (line, isEmpty) = (String(repeating: " ", count: indent), true)
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
