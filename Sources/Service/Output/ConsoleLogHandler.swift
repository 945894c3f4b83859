import Foundation
import Logging

/// Sends log lines to standard error, which leaves standard output to the touches.
nonisolated struct ConsoleLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let level = event.level >= .warning ? "\(event.level.rawValue): " : ""
        FileHandle.standardError.write(Data("touchd: \(level)\(event.message)\n".utf8))
    }
}
