import ControlProtocol
import EventLoop
import Foundation
import Logging
import Outputs

/// Sends log lines to journald, with metadata as separate fields.
package nonisolated struct JournalLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level = .info

    private let sender: JournalSender

    package init(_ sender: JournalSender) { self.sender = sender }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var entry = JournalEntry()
        entry.begin(message: "\(event.message)", priority: event.level.syslogPriority)
        for (name, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }) {
            entry.add(name, "\(value)")
        }
        if Thread.isMainThread {
            MainActor.assumeIsolated { sender.send(entry) }
        } else {
            // Another thread may wait for journald, but not for the main thread, which may be the one that is blocked.
            entry.sendWaiting()
        }
    }
}

nonisolated extension JournalEntry {
    /// Sends the entry on a new socket. Blocks up to a second while journald is busy; an entry that cannot be sent is
    /// lost.
    func sendWaiting() {
        guard let sender = try? DatagramSender(path: JournalEntry.socket) else { return }
        for _ in 0..<20 {
            guard withBytes({ sender.send($0) }) == .full else { return }
            var room = pollfd(fd: sender.descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&room, 1, 50)
        }
    }
}

nonisolated extension Logger.Level {
    /// The priority of `syslog(3)`, which the journal stores.
    package var syslogPriority: Int {
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
