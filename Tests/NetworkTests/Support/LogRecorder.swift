import Logging

/// A logger whose lines a test can read.
final class LogRecorder {
    private struct Handler: LogHandler {
        // Only called on the main actor, where these tests log.
        nonisolated(unsafe) let record: (String, Logger.Metadata) -> Void
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .info

        nonisolated subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        nonisolated func log(event: LogEvent) {
            record("\(event.level.rawValue): \(event.message)", event.metadata ?? [:])
        }
    }

    /// The lines with their levels, in order.
    private(set) var lines: [String] = []
    /// The fields of the last line.
    private(set) var fields: [String: String] = [:]
    private(set) lazy var logger = Logger(label: "test") { [unowned self] _ in
        Handler(record: { line, metadata in
            MainActor.assumeIsolated {
                self.lines.append(line)
                self.fields = metadata.mapValues { "\($0)" }
            }
        })
    }

    /// Forgets the lines so far.
    func clear() { lines = [] }
}
