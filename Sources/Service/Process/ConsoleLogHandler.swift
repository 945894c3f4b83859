import Basics
import Foundation
import Logging
import Outputs

/// Sends log lines to standard error; standard output is reserved for touches.
nonisolated struct ConsoleLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    private let stream: StandardStream

    init(_ stream: StandardStream) { self.stream = stream }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let level = event.level >= .warning ? "\(event.level.rawValue): " : ""
        let line = "touchd: \(level)\(event.message)"
        guard Thread.isMainThread else { return StandardError.write(line: line) }
        MainActor.assumeIsolated {
            stream.append(line: line)
            stream.flush()
        }
    }
}
