import ControlProtocol
import Handlers

/// What handlers' programs write, as entries in the systemd journal under their handlers' names.
final class ProgramJournal: ProgramLog {
    private let sender: JournalSender
    private var entry = JournalEntry()

    init(_ sender: JournalSender) { self.sender = sender }

    /// While journald takes nothing, the room that there is to keep entries is for touches.
    var takesLines: Bool { sender.waitingByteCount < JournalSender.capacity / 8 }

    func write(_ line: ProgramLine) {
        entry.begin(message: line.text, priority: line.priority, identifier: line.handler)
        // The journal's own field for the process is touchd's, which sends the entry (systemd.journal-fields(7)).
        entry.add("SYSLOG_PID", "\(line.process)")
        entry.add("TOUCHD_HANDLER", line.handler)
        sender.send(entry)
    }
}
