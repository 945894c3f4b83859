import Basics
import Synchronization

/// Writes refused requests to the journal, from any thread.
final class RefusalLog: Sendable {
    private let limit = Mutex(RefusalLimit())
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Receives a line for each entry.
    init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Logs a refusal, or counts it.
    func add(origin: String, path: String, reason: String) {
        guard let others = limit.withLock({ $0.ending() }) else { return }
        write(
            "refused a page of the origin '\(Self.shown(origin))' at \(Self.shown(path)): \(reason)\(others)")
    }

    /// A text of a stranger: short, and without characters that a terminal would execute.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(100).map { (33...126).contains($0.value) ? $0 : "?" }))
    }
}
