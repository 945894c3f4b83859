import ControlProtocol

/// The messages of touchd that have no outcome yet, in order for each broker and server: the one place where they wait in
/// this process.
final class DeliveryQueue {
    /// The maximum number of messages, of messages for one broker or server, and of the bytes of all: twice as much as
    /// touchd keeps, because those of a touchd that has ended may still wait. A peer that cannot be reached leaves room.
    static let limit = 1024, peerLimit = 512, sizeLimit = 4 * 1024 * 1024

    private var queues: [String: MessageQueue<Delivery>] = [:]

    /// The messages for a broker or server.
    subscript(peer: String) -> MessageQueue<Delivery> {
        get { queues[peer] ?? MessageQueue() }
        _modify {
            defer { if queues[peer]?.isEmpty == true { queues[peer] = nil } }
            yield &queues[peer, default: MessageQueue()]
        }
    }

    var isEmpty: Bool { queues.isEmpty }
    var messages: [Delivery] { queues.values.flatMap(\.messages) }

    /// Why there is no room for a message; nil if there is.
    func refusal(of message: OutgoingMessage) -> String? {
        let peerCount = self[message.peer].count
        guard peerCount < Self.peerLimit else { return "\(peerCount) messages are waiting already" }
        let (count, size) = messages.reduce(into: (0, 0)) { $0 = ($0.0 + 1, $0.1 + $1.message.body.count) }
        return count < Self.limit && size + message.body.count <= Self.sizeLimit
            ? nil : "\(count) messages of \(size >> 10) KiB are waiting already"
    }
}
