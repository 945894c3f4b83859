@testable import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import Outputs
@testable import Service

/// Entries for a receiver that may be slow, missing or replaced.
@Suite("The journal's sender") struct JournalSenderTests {
    private let loop: EpollRunLoop
    private let journald = JournalReceiver()

    init() throws { loop = try EpollRunLoop() }

    private func entry(_ message: String) -> JournalEntry { JournalEntry(message: message) }

    private func messages(_ entries: [[String: String]]) -> [String] { entries.compactMap { $0["MESSAGE"] } }

    /// Receives entries until none is waiting; the kernel's queue is short.
    private func receiveAll(from sender: JournalSender) -> [[String: String]] {
        var entries = journald.receive()
        while sender.waitingCount > 0 {
            loop.run(until: .after(.milliseconds(100)), returnAfterSourceHandled: true)
            entries += journald.receive()
        }
        return entries
    }

    @Test("an entry arrives with its fields, including multi-line ones")
    func fields() {
        let sender = JournalSender(loop: loop, path: journald.path)
        var entry = entry("one\ntwo\n")
        entry.add("TOUCHD_VIEW", "größe=1")
        entry.add("TOUCHD_EMPTY", "")
        sender.send(entry)
        #expect(
            journald.receive() == [
                [
                    "MESSAGE": "one\ntwo\n", "PRIORITY": "6", "SYSLOG_IDENTIFIER": "touchd", "TOUCHD_VIEW": "größe=1",
                    "TOUCHD_EMPTY": "",
                ]
            ])
    }

    @Test("an entry too long for a datagram is sent in a sealed file")
    func longEntry() throws {
        let datagrams = try DatagramSender(path: journald.path, bufferSize: 4096)
        let sender = JournalSender(loop: loop, sender: datagrams)
        let text = String(repeating: "x", count: 100_000)
        sender.send(entry(text))
        sender.send(entry("after"))
        let long = try #require(journald.next())
        #expect(JournalReceiver.fields(long)["MESSAGE"] == text)
        #expect(journald.lastFileSeals == 15)
        #expect(messages(journald.receive()) == ["after"])
    }

    @Test("an entry that is too long is replaced by a notice if its file cannot be filled")
    func lostEntry() async {
        // In a separate process, because the limit holds for a whole process. Descriptors are not limited: Dispatch
        // opens some when it wants to, and traps without them.
        await #expect(processExitsWith: .success) {
            try await MainActor.run {
                let journald = JournalReceiver()
                let sender = JournalSender(
                    loop: try EpollRunLoop(), sender: try DatagramSender(path: journald.path, bufferSize: 4096))
                sender.send(JournalEntry(message: "before"))
                try #require(journald.receive().count == 1)
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                sender.send(JournalEntry(message: String(repeating: "x", count: 100_000)))
                sender.send(JournalEntry(message: "after"))
                #expect(sender.droppedCount == 1)
                #expect(sender.waitingCount == 0)
                let received = journald.receive()
                #expect(received.count == 2)
                #expect(received.first?["MESSAGE_ID"] == MessageID.entriesDropped.rawValue)
                #expect(received.first?["TOUCHD_COUNT"] == "1")
                #expect(received.last?["MESSAGE"] == "after")
            }
        }
    }

    @Test("a receiver that does not read blocks nobody, and gets every entry later")
    func behind() {
        let sender = JournalSender(loop: loop, path: journald.path)
        let sent = (0..<3000).map { "entry \($0)" }
        for message in sent { sender.send(entry(message)) }
        // Three thousand exceed the kernel's queue.
        #expect(sender.waitingCount > 0)

        #expect(messages(receiveAll(from: sender)) == sent)
        #expect(sender.droppedCount == 0)
    }

    @Test("entries are kept while the receiver is missing, and sent in order later", arguments: [true, false])
    func away(withNewEntry: Bool) {
        let sender = JournalSender(loop: loop, path: journald.path)
        journald.close()
        for number in 0..<5 { sender.send(entry("while away \(number)")) }
        #expect(sender.waitingCount == 5)

        journald.open()
        // The next entry triggers a retry; without one, a timer does.
        if withNewEntry { sender.send(entry("after")) }
        while !withNewEntry, sender.waitingCount > 0 { loop.run(until: .after(.milliseconds(100))) }
        #expect(sender.waitingCount == 0)
        let kept = (0..<5).map { "while away \($0)" }
        #expect(messages(journald.receive()) == kept + (withNewEntry ? ["after"] : []))
        // No timer and no source are left that could wake the loop.
        #expect(loop.run() == .finished)
    }

    @Test("dropped entries are one block, replaced by an entry with their number")
    func overflow() throws {
        let sender = JournalSender(loop: loop, path: journald.path, capacity: 2000)
        journald.close()
        let sent = (0..<100).map { "entry \($0)" }
        for message in sent { sender.send(entry(message)) }
        let kept = sender.waitingCount
        #expect(kept > 10 && kept < 100)
        #expect(sender.droppedCount == 100 - kept)

        journald.open()
        sender.send(entry("too early to be kept"))
        var received = receiveAll(from: sender)
        sender.send(entry("after"))
        received += journald.receive()
        #expect(messages(Array(received.prefix(kept))) == Array(sent.prefix(kept)))
        let notice = try #require(received.dropFirst(kept).first)
        #expect(notice["MESSAGE_ID"] == MessageID.entriesDropped.rawValue)
        #expect(notice["TOUCHD_COUNT"] == "\(100 - kept + 1)")
        #expect(messages(Array(received.dropFirst(kept + 1))) == ["after"])
        #expect(sender.droppedCount == 100 - kept + 1)
    }

    @Test("an entry larger than the limit is reported as dropped, and later ones are kept")
    func largerThanTheRoom() {
        let sender = JournalSender(loop: loop, path: journald.path, capacity: 2000)
        journald.close()
        sender.send(entry(String(repeating: "x", count: 3000)))
        sender.send(entry("after"))
        #expect(sender.droppedCount == 1 && sender.waitingCount == 2)

        journald.open()
        sender.send(entry("later"))
        let received = receiveAll(from: sender)
        #expect(received.first?["TOUCHD_COUNT"] == "1")
        #expect(messages(Array(received.dropFirst())) == ["after", "later"])
    }

    @Test("undeliverable entries at exit are counted, and do not delay it")
    func finish() {
        let sender = JournalSender(loop: loop, path: journald.path)
        journald.close()
        sender.send(entry("lost"))
        #expect(sender.finish() == 1)
        #expect(sender.droppedCount == 1)
        #expect(sender.waitingCount == 0)
    }
}

nonisolated extension JournalEntry {
    fileprivate init(message: String) {
        self.init()
        begin(message: message, priority: 6)
    }
}
