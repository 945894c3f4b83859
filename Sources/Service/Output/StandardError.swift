import Foundation

/// Where touchd speaks to the people who started it.
public nonisolated enum StandardError {
    /// Writes a line; where nobody can read it, it is lost, and nothing else.
    public static func write(line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
