import Foundation

/// Where touchd speaks to the people who started it.
public nonisolated enum StandardError {
    /// Writes a line, or several; where nobody can read it, it is lost, and nothing else.
    ///
    /// In a service, where journald reads it, the journal has each line as an error.
    public static func write(line: String) {
        let text = isJournal ? asErrors(line) : line
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
    }

    /// Has journald take each line for an error (`<3>`, sd-daemon(3)), where it would take it for a piece of information.
    package static func asErrors(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "<3>\($0)" }.joined(separator: "\n")
    }

    /// Whether standard error still is what systemd says goes to the journal (systemd.exec(5), `$JOURNAL_STREAM`).
    private static let isJournal: Bool = {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return ProcessInfo.processInfo.environment["JOURNAL_STREAM"] == "\(status.st_dev):\(status.st_ino)"
    }()
}
