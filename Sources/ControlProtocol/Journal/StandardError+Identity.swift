import Basics
import EventLoop

extension StandardError {
    /// Writes a line that has an identity in the journal, so that `journalctl -x` explains it.
    ///
    /// - Parameter program: The entry's `SYSLOG_IDENTIFIER`.
    package static func write(line: String, identity: MessageID, program: String) {
        if isJournal, let sender = try? DatagramSender(path: JournalEntry.socket) {
            var entry = JournalEntry()
            entry.begin(message: line, priority: 4, identity: identity, identifier: program)
            if entry.withBytes({ sender.send($0) }) == .sent { return }
        }
        write(line: line)
    }
}
