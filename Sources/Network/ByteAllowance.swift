/// How many bytes a broker may send on a connection: libmosquitto has no limit.
///
/// An unfinished packet must not grow without end, and finished ones need a limit too.
nonisolated struct ByteAllowance {
    /// Apart from confirmations: CONNACK is 4 bytes long, and a TLS handshake with certificates about 5,000.
    private static let first: UInt64 = 64 * 1024
    /// Per message or ping: two confirmations of 4 bytes (MQTT 3.1.1, 3.4 to 3.7), each in its own TLS record.
    private static let perMessage: UInt64 = 128
    /// Between two ticks, from a broker that sends messages.
    static let forMessages: UInt64 = 256 * 1024

    /// The maximum number of bytes from the start of the connection.
    private(set) var limit: UInt64
    private let getsMessages: Bool
    private var hasCompletedPacket = false

    /// - Parameter getsMessages: Whether messages may arrive, and not only confirmations.
    init(getsMessages: Bool) {
        self.getsMessages = getsMessages
        limit = getsMessages ? Self.forMessages : Self.first
    }

    /// Notes that a packet has arrived as a whole.
    mutating func didCompletePacket() { hasCompletedPacket = true }

    mutating func didSendMessage() { limit += Self.perMessage }

    /// Allows the retained message of another topic.
    mutating func willSubscribe(received: UInt64) { limit = max(limit, received + Self.forMessages) }

    /// Allows more after each tick, but a packet that takes longer only a ping.
    mutating func didTick(received: UInt64) {
        if getsMessages, hasCompletedPacket { willSubscribe(received: received) } else { limit += Self.perMessage }
        hasCompletedPacket = false
    }
}
