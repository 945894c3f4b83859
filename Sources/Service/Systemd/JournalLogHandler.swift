import Logging

/// Sends log lines to journald, metadata as fields of their own.
nonisolated struct JournalLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var entry = JournalEntry()
        entry.add("MESSAGE", "\(event.message)")
        entry.add("PRIORITY", "\(event.level.syslogPriority)")
        for (name, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }) {
            entry.add(name, "\(value)")
        }
        // A log line that cannot be delivered has nowhere else to go.
        _ = entry.send()
    }
}

nonisolated extension Logger.Level {
    /// The priority of `syslog(3)`, which the journal keeps.
    fileprivate var syslogPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
