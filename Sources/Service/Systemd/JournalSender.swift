import ControlProtocol
import CLinux
import DequeModule
import EventLoop
import Foundation

/// Entries on their way to journald, in their order, without ever waiting for it.
///
/// libsystemd's own `sd_journal_sendv` sends on a socket that waits: while journald is stopped, or behind, whoever logs
/// stands still with it, and where journald's socket is gone the entry is lost without a word. So touchd speaks journald's
/// native protocol itself. What journald does not take at once is kept, up to a bound, and sent when it takes entries
/// again; beyond the bound entries are dropped, and one entry in their place says how many. So it is with an entry that is
/// too long, where there is no file to be had for it either.
package final class JournalSender {
    /// How many bytes may wait: some 10,000 touches, which on a busy kiosk is an hour.
    package static let capacity = 4 * 1024 * 1024

    private let loop: EpollRunLoop
    private let sender: DatagramSender?
    private let capacity: Int
    private var waiting: Deque<[UInt8]> = []
    /// How many bytes wait.
    private(set) var waitingByteCount = 0
    /// How many entries were dropped, all in all.
    package private(set) var droppedCount = 0
    /// How many of them no entry has told of yet.
    private var untold = 0

    private var roomSource: DescriptorSource?
    private lazy var retryTimer: RunLoopTimer = {
        let timer = RunLoopTimer(name: "touchd.journal", tolerance: .milliseconds(100)) { [weak self] _ in self?.drain()
        }
        loop.add(timer)
        return timer
    }()
    private var retryDelay = Duration.seconds(1)

    /// Makes a sender; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - loop: Tells when journald takes entries again.
    ///   - path: Where journald receives.
    ///   - capacity: How many bytes may wait.
    package convenience init(
        loop: EpollRunLoop, path: String = JournalEntry.socket, capacity: Int = JournalSender.capacity
    ) {
        // Without a descriptor to spare there is nothing to log with, and touches go on all the same.
        self.init(loop: loop, capacity: capacity, sender: try? DatagramSender(path: path))
    }

    /// Makes a sender that sends by a socket; nil for none.
    init(loop: EpollRunLoop, capacity: Int = JournalSender.capacity, sender: DatagramSender?) {
        self.loop = loop
        self.capacity = capacity
        self.sender = sender
    }

    /// How many entries wait.
    package var waitingCount: Int { waiting.count }

    /// Sends an entry, or keeps it until it can be sent.
    func send(_ entry: JournalEntry) {
        if waiting.isEmpty, untold == 0, offer(entry.bytes) == .sent { return }
        keep(entry.bytes)
        drain()
    }

    /// Sends what waits before the program ends, and waits for journald, but not for long; answers how many are lost.
    package func finish() -> Int {
        let limit = Deadline.after(.seconds(1))
        while let sender, !limit.isPast, case let outcome = drain(), outcome != .sent {
            var room = pollfd(fd: sender.descriptor, events: Int16(POLLOUT), revents: 0)
            // A socket without a receiver says for ever that there is room.
            if outcome == .full { poll(&room, 1, 50) } else { usleep(20_000) }
        }
        stopWaiting()
        let lost = waiting.count + untold
        droppedCount += waiting.count
        waiting.removeAll()
        waitingByteCount = 0
        return lost
    }

    private func keep(_ bytes: [UInt8]) {
        tellOfDropped()
        // Once something was dropped, what comes is dropped too until half is gone: one hole is better than a sieve.
        guard untold == 0, waitingByteCount + bytes.count <= capacity else {
            untold += 1
            droppedCount += 1
            return
        }
        waiting.append(bytes)
        waitingByteCount += bytes.count
    }

    /// Sends what waits, as far as journald takes it, and answers what became of the last.
    @discardableResult
    private func drain() -> DatagramSender.Outcome {
        tellOfDropped()
        while let first = waiting.first {
            let outcome = offer(first)
            switch outcome {
            case .sent:
                removeFirst()
                tellOfDropped()
            case .tooLong:
                removeFirst()
                droppedCount += 1
                // In its place; where not even a notice is short enough, nothing is.
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

    /// Puts a notice in the place of what was dropped, once there is room for what comes then.
    private func tellOfDropped() {
        guard untold > 0, waitingByteCount <= capacity / 2 else { return }
        let notice = Self.notice(
            of: untold, "journald took no entries for a while, and \(untold) that belong here are missing")
        untold = 0
        insert(notice, at: waiting.count)
    }

    /// No notice is longer.
    private static let noticeLimit = 512
    private static let noticeOfLongEntry = notice(
        of: 1, "an entry that belongs here was too long for journald, and is missing")

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
        return sender.send(descriptor: file.descriptor)
    }

    private func waitForRoom() {
        retryTimer.cancel()
        guard roomSource == nil, let sender else { return }
        let source = DescriptorSource(
            name: "journald", descriptor: sender.descriptor, events: .write, priority: 1
        ) { [weak self] _ in self?.drain() }
        loop.add(source)
        roomSource = source
    }

    /// Nothing tells that a socket's receiver is back, so it is tried: with each new entry, and from time to time.
    private func waitForReturn() {
        roomSource?.invalidate()
        roomSource = nil
        guard !retryTimer.isArmed else { return }
        retryTimer.reschedule(after: retryDelay)
        retryDelay = min(retryDelay * 2, .seconds(30))
    }

    private func stopWaiting() {
        roomSource?.invalidate()
        roomSource = nil
        retryTimer.cancel()
        retryDelay = .seconds(1)
    }
}

/// Bytes in a file of memory that nobody can change any more, which is how journald takes entries too long for a datagram.
private nonisolated struct SealedMemory: ~Copyable {
    let descriptor: Int32

    init?(_ bytes: [UInt8]) {
        let descriptor = memfd_create("touchd-journal", UInt32(memfd_cloexec | memfd_allow_sealing))
        guard descriptor >= 0 else { return nil }
        var start = 0
        while start < bytes.count {
            let from = start
            let written = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress?.advanced(by: from), bytes.count - from)
            }
            guard written > 0 else { break }
            start += written
        }
        guard start == bytes.count, fcntl(descriptor, Int32(memfd_add_seals), Int32(memfd_all_seals)) == 0
        else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
