import ControlProtocol
import Handlers
import Outputs

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
