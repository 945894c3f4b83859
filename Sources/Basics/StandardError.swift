import Glibc

/// Writes messages to standard error.
package enum StandardError {
    /// Writes one or more lines. A failed write is ignored.
    ///
    /// If standard error is connected to the journal, each line is logged with priority `err`.
    package static func write(line: String) { write(text: (isJournal ? asErrors(line) : line) + "\n") }

    /// Writes a text as it is. A failed write is ignored.
    package static func write(text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            rest.removeFirst(max(count, 0))
        }
    }

    /// Prefixes each line with `<3>` (sd-daemon(3)), so that journald logs it with priority `err` instead of `info`.
    package static func asErrors(_ text: String) -> String { "<3>" + text.replacing("\n", with: "\n<3>") }

    /// Whether standard error is still connected to the journal (systemd.exec(5), `$JOURNAL_STREAM`).
    package static let isJournal: Bool = {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return getenv("JOURNAL_STREAM").map { String(cString: $0) } == "\(status.st_dev):\(status.st_ino)"
    }()
}
