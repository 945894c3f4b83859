import Basics
import ControlProtocol
import CLinux
import DequeModule
import EventLoop
import Foundation

/// Sends entries to journald in order, without blocking.
///
/// libsystemd's `sd_journal_sendv` sends on a blocking socket: the caller stops while journald is stopped or behind,
/// and if the socket is missing, the entry is lost silently. So touchd implements journald's native protocol. Entries
/// that journald does not accept are buffered up to a limit and sent later. Beyond the limit they are dropped, and one
/// entry with their number replaces them. The same holds for an entry that is too long if no memory file can be created
/// for it.
package final class JournalSender {
    /// The buffer's limit in bytes: about 10,000 touches, an hour on a busy kiosk.
    package static let capacity = 4 * 1024 * 1024

    private let loop: EpollRunLoop
    private let sender: DatagramSender?
    private let capacity: Int
    private var waiting: Deque<[UInt8]> = []
    package private(set) var waitingByteCount = 0
    package private(set) var droppedCount = 0
    /// How many dropped entries have not been reported yet.
    private var unreported = 0

    private var roomSource: DescriptorSource?
    private lazy var retryTimer = loop.add(
        RunLoopTimer(name: "touchd.journal", tolerance: .milliseconds(100)) { [weak self] _ in self?.drain() })
    private var retryDelays = RetryDelays(longest: .seconds(30))

    package convenience init(
        loop: EpollRunLoop, path: String = JournalEntry.socket, capacity: Int = JournalSender.capacity
    ) {
        // Without a free descriptor nothing is logged, but touches are still delivered.
        self.init(loop: loop, capacity: capacity, sender: try? DatagramSender(path: path))
    }

    /// Creates a sender for a socket; nil for none.
    package init(loop: EpollRunLoop, capacity: Int = JournalSender.capacity, sender: DatagramSender?) {
        self.loop = loop
        self.capacity = capacity
        self.sender = sender
    }

    package var waitingCount: Int { waiting.count }

    /// Sends an entry, or buffers it until it can be sent.
    package func send(_ entry: borrowing JournalEntry) {
        if waiting.isEmpty, unreported == 0, let sender {
            let outcome = entry.withBytes { sender.send($0) }
            // A long one is sent in a file, whatever its length.
            if outcome == .sent || outcome == .tooLong && offer(entry.bytes) == .sent { return }
        }
        keep(entry.bytes)
        drain()
    }

    /// Sends the buffered entries before the program exits; waits at most one second. Returns how many are lost.
    package func finish() -> Int {
        let limit = Deadline.after(.seconds(1))
        while let sender, !limit.isPast, case let outcome = drain(), outcome != .sent {
            var room = pollfd(fd: sender.descriptor, events: Int16(POLLOUT), revents: 0)
            // poll(2) always reports room on a socket without a receiver.
            if outcome == .full { poll(&room, 1, 50) } else { usleep(20_000) }
        }
        stopWaiting()
        let lost = waiting.count + unreported
        droppedCount += waiting.count
        waiting.removeAll()
        waitingByteCount = 0
        return lost
    }

    private func keep(_ bytes: [UInt8]) {
        reportDropped()
        // After a drop, further entries are dropped until half of the capacity is free, so that there is one gap and
        // not many.
        guard unreported == 0, waitingByteCount + bytes.count <= capacity else {
            unreported += 1
            droppedCount += 1
            return
        }
        waiting.append(bytes)
        waitingByteCount += bytes.count
    }

    /// Sends the buffered entries, as far as journald accepts them, and returns the result of the last send.
    @discardableResult
    private func drain() -> DatagramSender.Outcome {
        reportDropped()
        while let first = waiting.first {
            let outcome = offer(first)
            switch outcome {
            case .sent:
                removeFirst()
                reportDropped()
            case .tooLong:
                removeFirst()
                droppedCount += 1
                // A notice replaces the entry. If even a notice is too long, nothing does.
                if first.count > Self.noticeLimit { insert(Self.noticeOfLongEntry, at: 0) }
            case .full:
                waitForRoom()
                return outcome
            case .absent:
                waitForReturn()
                return outcome
            }
        }
        stopWaiting()
        return .sent
    }

    /// Inserts a notice for the dropped entries, once half of the capacity is free.
    private func reportDropped() {
        guard unreported > 0, waitingByteCount <= capacity / 2 else { return }
        let notice = Self.notice(
            of: unreported, "journald accepted no entries for a while; \(unreported) entries before this one are lost")
        unreported = 0
        insert(notice, at: waiting.count)
    }

    /// The maximum length of a notice, in bytes.
    private static let noticeLimit = 512
    private static let noticeOfLongEntry = notice(
        of: 1, "an entry is missing here: it was too long for journald")

    private static func notice(of count: Int, _ message: String) -> [UInt8] {
        var entry = JournalEntry()
        entry.begin(message: message, priority: 4, identity: .entriesDropped)
        entry.add("TOUCHD_COUNT", "\(count)")
        return entry.bytes
    }

    private func insert(_ bytes: [UInt8], at index: Int) {
        waiting.insert(bytes, at: index)
        waitingByteCount += bytes.count
    }

    private func removeFirst() { waitingByteCount -= waiting.removeFirst().count }

    private func offer(_ bytes: [UInt8]) -> DatagramSender.Outcome {
        guard let sender else { return .absent(EBADF) }
        let outcome = bytes.withUnsafeBytes { sender.send($0) }
        guard outcome == .tooLong, let file = SealedMemory(bytes) else { return outcome }
        return withExtendedLifetime(file) { sender.send(descriptor: file.descriptor) }
    }

    private func waitForRoom() {
        retryTimer.cancel()
        guard roomSource == nil, let sender else { return }
        roomSource = try? loop.add(
            DescriptorSource(name: "journald", descriptor: sender.descriptor, events: .write, priority: 1) {
                [weak self] _ in self?.drain()
            })
        if roomSource == nil { waitForReturn() }
    }

    /// The kernel does not report that a socket's receiver is back, nor room if it cannot watch the socket, so sending is retried with each new entry and after
    /// growing delays.
    private func waitForReturn() {
        roomSource?.invalidate()
        roomSource = nil
        if !retryTimer.isArmed { retryTimer.reschedule(after: retryDelays.next()) }
    }

    private func stopWaiting() {
        roomSource?.invalidate()
        roomSource = nil
        retryTimer.cancel()
        retryDelays.restart()
    }
}

/// A sealed memory file (memfd_create(2)); journald accepts entries that are too long for a datagram in this form.
private nonisolated struct SealedMemory {
    private let file: FileHandle
    var descriptor: Int32 { file.fileDescriptor }

    init?(_ bytes: [UInt8]) {
        let descriptor = memfd_create("touchd-journal", UInt32(memfd_cloexec | memfd_allow_sealing))
        guard descriptor >= 0 else { return nil }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard (try? file.write(contentsOf: bytes)) != nil,
            fcntl(descriptor, Int32(memfd_add_seals), Int32(memfd_all_seals)) == 0
        else { return nil }
    }
}
