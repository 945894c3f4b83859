import Logging

/// A logger whose lines a test can read.
@MainActor
package final class LogRecorder {
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

    package init() {}

    /// The lines with their levels, in order.
    package private(set) var lines: [String] = []
    /// The fields of the last line.
    package private(set) var fields: [String: String] = [:]
    package private(set) lazy var logger = Logger(label: "test") { [unowned self] _ in
        Handler(record: { line, metadata in
            MainActor.assumeIsolated {
                self.lines.append(line)
                self.fields = metadata.mapValues { "\($0)" }
            }
        })
    }

    /// Forgets the lines so far.
    package func clear() { lines = [] }
}
