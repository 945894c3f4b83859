/// Why an exported journal cannot be read.
package enum JournalError: Error, Equatable, CustomStringConvertible {
    /// The file could not be opened or read; `reason` is the system's error message.
    case unreadable(path: String, reason: String)
    /// The file is not in a format of journalctl's; entries are counted from 1.
    case malformed(path: String, entry: Int, problem: String)

    /// The message that the command line prints.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): error: cannot be read: \(reason)"
        case .malformed(let path, let entry, let problem):
            "\(path): error: entry \(entry): \(problem); export it with 'journalctl -o export' or 'journalctl -o json'"
        }
    }
}
