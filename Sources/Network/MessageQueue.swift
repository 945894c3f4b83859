import DequeModule

/// The messages for one broker or server, in order, and which of them a broker may be the reason to fail.
///
/// It neither sends nor waits, so that a test can play every order of confirmations and lost connections. A message
/// stays until it is confirmed. After a connection has ended with unconfirmed messages, the next connection sends the
/// first of them alone: if the broker ends that one too, three times in all, the message fails and the next ones follow.
nonisolated struct MessageQueue<Message> {
    /// The maximum number of messages in flight. The rest wait here if the broker does not read.
    static var inFlightLimit: Int { 16 }
    /// How many connections may end after a message that was sent alone. A restart of the broker ends one, rarely two.
    static var endingLimit: Int { 3 }

    private struct QueuedMessage {
        let message: Message
        let isOnce: Bool
        /// The library's number of the message in flight; nil while it waits.
        var number: Int32?
        var attempts = 0
    }

    enum Failure: Equatable {
        /// It must not be sent twice, and the connection ended before it was known to be sent.
        case perhapsLost
        /// The connections ended after it.
        case refused
    }

    private var entries: Deque<QueuedMessage> = []
    private var endings = 0
    /// Whether the next message is sent alone, before anything else.
    private(set) var isAlone = false

    /// Whether no message waits or is in flight.
    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    /// The first message, and how often it was sent.
    var first: (message: Message, attempts: Int)? { entries.first.map { ($0.message, $0.attempts) } }
    /// The messages that wait or are in flight, in order.
    var messages: some Sequence<Message> { entries.lazy.map(\.message) }

    /// Adds a message.
    ///
    /// - Parameter isOnce: Whether it must not be sent twice.
    mutating func append(_ message: Message, isOnce: Bool) {
        entries.append(QueuedMessage(message: message, isOnce: isOnce))
    }

    /// The message to send now; nil if none waits, or if enough are in flight.
    var next: Message? { nextIndex.map { entries[$0].message } }

    // Messages are sent in order and confirmed in almost any, so those in flight are the first ones.
    private var nextIndex: Int? {
        let index = entries.firstIndex { $0.number == nil } ?? entries.endIndex
        return index < min(entries.count, isAlone ? 1 : Self.inFlightLimit) ? index : nil
    }

    /// Notes that `next` is in flight under a number.
    mutating func sent(as number: Int32) {
        guard let index = nextIndex else { return }
        entries[index].number = number
        entries[index].attempts += 1
    }

    /// Returns the messages in flight to the waiting ones.
    mutating func retry() {
        for index in entries.indices { entries[index].number = nil }
    }

    /// Removes `next`, which cannot be sent.
    mutating func dropNext() {
        if let index = nextIndex { entries.remove(at: index) }
    }

    /// Removes a confirmed message; nil if no such number is in flight.
    @discardableResult
    mutating func confirm(_ number: Int32) -> Message? {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
        (isAlone, endings) = (false, 0)
        return entries.remove(at: index).message
    }

    /// Returns the messages in flight to the waiting ones, and the messages that are given up.
    ///
    /// - Parameter byBroker: Whether the broker may have ended the connection because of a message.
    mutating func connectionEnded(byBroker: Bool) -> [(Message, Failure)] {
        var given: [(Message, Failure)] = []
        let wasInFlight = entries.contains { $0.number != nil }
        if isAlone, byBroker, wasInFlight { endings += 1 }
        if wasInFlight { isAlone = true }
        if endings == Self.endingLimit, let first = entries.popFirst() {
            endings = 0
            given.append((first.message, .refused))
        }
        let lost = entries.filter { $0.isOnce && $0.number != nil }
        if entries.first.map({ $0.isOnce && $0.number != nil }) == true { endings = 0 }
        given += lost.map { ($0.message, .perhapsLost) }
        entries.removeAll { $0.isOnce && $0.number != nil }
        retry()
        if entries.isEmpty { (isAlone, endings) = (false, 0) }
        return given
    }
}
