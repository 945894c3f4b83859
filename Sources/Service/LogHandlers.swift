import Basics
import ControlProtocol
import EventLoop
import Foundation
import Handlers
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

/// Sends the output of handlers' programs to the systemd journal under the names of their handlers.
final class ProgramJournal: ProgramLog {
    private let sender: JournalSender
    private var entry = JournalEntry()

    init(_ sender: JournalSender) { self.sender = sender }

    /// While journald accepts nothing, most of the buffer is reserved for touches.
    var hasRoom: Bool { sender.waitingByteCount < JournalSender.capacity / 8 }

    func write(_ line: ProgramLine) {
        entry.begin(message: line.text, priority: line.priority, identifier: line.handler)
        // The trusted process field is touchd's, because touchd sends the entry (systemd.journal-fields(7)).
        entry.add("SYSLOG_PID", "\(line.process)")
        entry.add("TOUCHD_HANDLER", line.handler)
        sender.send(entry)
    }
}
