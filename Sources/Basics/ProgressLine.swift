import Glibc

/// Says on the terminal of standard error how much a long command has read: nothing in a pipe, in a file, or on a terminal
/// without escapes, and nothing before a second.
package struct ProgressLine {
    private let unit: String, isShown: Bool, write: (String) -> Void, start = ContinuousClock.now
    private var count = 0
    /// When the line is next written, in seconds since the start.
    private var next = 1.0

    /// `unit` is the plural of what is counted.
    package init(
        _ unit: String, isShown: Bool = isatty(STDERR_FILENO) == 1 && !Terminal.isDumb,
        write: @escaping (String) -> Void = { StandardError.write(text: $0) }
    ) { (self.unit, self.isShown, self.write) = (unit, isShown, write) }

    /// Counts one more. The clock is read only for some, because it takes longer than to count.
    package mutating func add() {
        count += 1
        if isShown, count % 1024 == 0 { update(after: (.now - start) / .seconds(1)) }
    }

    /// Writes the line if it is due at that number of seconds since the start.
    package mutating func update(after seconds: Double) {
        guard isShown, seconds >= next else { return }
        next = seconds + 0.5
        write("\r\(count) \(unit), \(Int(Double(count) / seconds)) a second\u{1B}[K")
    }

    /// Removes the line, before a result or an error is written.
    package func clear() { if next > 1 { write("\r\u{1B}[K") } }
}
