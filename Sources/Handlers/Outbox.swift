import ControlProtocol
import DequeModule
import EventLoop

/// The messages of handlers whose outcome is not known yet, in order.
///
/// The first of them are sent to `touchd network`, the rest wait for room in its socket. When it is full, new messages are
/// refused, so that a receiver sees the complete beginning.
struct Outbox {
    /// The maximum number of messages, of messages for one broker or server, and of the bytes of all.
    static let limit = 512, peerLimit = 256, sizeLimit = 2 * 1024 * 1024

    struct WaitingMessage {
        let message: OutgoingMessage
        let handler: HandlerOrigin
        /// Whether it may have left the machine although it must not be sent twice.
        fileprivate(set) var hasBegun = false
        /// When a request is given up: nil before it is the first one for its server.
        fileprivate var limit: Deadline?

        /// The failure of its handler.
        func failure(_ reason: String) -> HandlerFailure {
            message.mqtt == nil
                ? .requestNotSent(to: message.peer, reason: reason) : .messageNotSent(to: message.peer, reason: reason)
        }
    }

    private var entries: Deque<WaitingMessage> = []
    private var sentCount = 0
    private var lastNumber = 0
    private var size = 0

    /// The number of messages whose outcome is not known.
    var count: Int { entries.count }
    /// The number of messages that `touchd network` has not got.
    var unsentCount: Int { entries.count - sentCount }
    /// The number of messages for a broker or server.
    func count(for peer: String) -> Int { entries.count { $0.message.peer == peer } }

    mutating func add(_ message: OutgoingMessage, of handler: HandlerOrigin) throws(HandlerFailure) {
        var message = message
        message.number = lastNumber + 1
        let entry = WaitingMessage(message: message, handler: handler)
        let waiting = count(for: message.peer)
        guard waiting < Self.peerLimit else { throw entry.failure("\(waiting) messages are waiting already") }
        guard entries.count < Self.limit, size + message.body.count <= Self.sizeLimit else {
            throw entry.failure("\(entries.count) messages of \(size >> 10) KiB are waiting already")
        }
        lastNumber += 1
        size += message.body.count
        entries.append(entry)
    }

    /// The next message to send; nil if all are sent.
    var next: OutgoingMessage? { sentCount < entries.count ? entries[sentCount].message : nil }

    mutating func didSend() { sentCount += 1 }

    /// Removes the next message, because it cannot be sent.
    mutating func removeNext() -> WaitingMessage? { sentCount < entries.count ? remove(at: sentCount) : nil }

    /// Whether a message has had a number.
    func hasUsed(_ number: Int) -> Bool { number > 0 && number <= lastNumber }

    /// Notes that a message must not be sent again; returns whether that is new.
    mutating func begun(_ number: Int) -> Bool {
        guard let index = index(of: number), !entries[index].hasBegun else { return false }
        entries[index].hasBegun = true
        return true
    }

    /// Removes a message whose outcome is known; nil if it was removed before.
    mutating func ended(_ number: Int) -> WaitingMessage? { index(of: number).map { remove(at: $0) } }

    /// Notes that the connection to `touchd network` has ended: what has no outcome is to be sent again.
    ///
    /// - Returns: The messages that must not be sent again; they are removed.
    mutating func connectionEnded() -> [WaitingMessage] {
        sentCount = 0
        let begun = Array(entries.filter(\.hasBegun))
        entries.removeAll(where: \.hasBegun)
        for entry in begun { size -= entry.message.body.count }
        return begun
    }

    /// Starts the time of each request that has become the first one for its server, and removes those whose time is over.
    ///
    /// - Parameter patience: How much longer than the request itself its outcome may take.
    /// - Returns: The requests whose time is over, with the reason, and when the next one's time is over.
    mutating func overdue(
        at now: Deadline, patience: Duration
    ) -> (entries: [(entry: WaitingMessage, reason: String)], next: Deadline?) {
        var (servers, over, next): (Set<String>, [(WaitingMessage, String)], Deadline?) = ([], [], nil)
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            guard let http = entry.message.http, !servers.contains(http.server) else {
                index += 1
                continue
            }
            let limit = entry.limit ?? now + (http.timeLimit + patience)
            if limit <= now {
                let reason =
                    index < sentCount
                    ? "touchd-network has not reported its outcome in time; it may have arrived"
                    : "touchd-network did not accept it in time"
                over.append((remove(at: index), reason))
                continue
            }
            servers.insert(http.server)
            entries[index].limit = limit
            next = min(next ?? limit, limit)
            index += 1
        }
        return (over, next)
    }

    /// Starts the time of requests again, because another process has begun to send them.
    mutating func restartLimits() {
        for index in entries.indices { entries[index].limit = nil }
    }

    private func index(of number: Int) -> Int? {
        var range = 0..<sentCount
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let found = entries[middle].message.number
            if found == number { return middle }
            range = found < number ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    private mutating func remove(at index: Int) -> WaitingMessage {
        let entry = entries.remove(at: index)
        size -= entry.message.body.count
        if index < sentCount { sentCount -= 1 }
        return entry
    }
}
