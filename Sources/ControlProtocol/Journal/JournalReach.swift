import EventLoop

/// Checks whether journald accepts entries.
package enum JournalReach {
    /// Sends a test entry; returns the error, or nil if it was sent.
    package static func problem() -> String? { problem(path: JournalEntry.socket) }

    static func problem(path: String) -> String? {
        let sender: DatagramSender
        do {
            sender = try DatagramSender(path: path)
        } catch {
            return "\(error)"
        }
        var entry = JournalEntry()
        entry.begin(message: "touchd's self-test checks that journald accepts entries", priority: 6)
        switch entry.withBytes({ sender.send($0) }) {
        case .sent: return nil
        case .full: return "journald accepts no entries at the moment; see 'journalctl -u systemd-journald'"
        case .absent, .tooLong: return "journald does not listen at \(path); see 'systemctl status systemd-journald'"
        }
    }
}
