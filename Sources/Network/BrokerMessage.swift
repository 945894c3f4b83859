/// A message of a subscribed topic.
nonisolated struct BrokerMessage: Equatable, Sendable {
    /// The largest payload that is kept.
    static let payloadLimit = 1024

    var topic = ""
    /// The payload; nil if it is larger than the limit.
    var payload: [UInt8]?
    /// Whether the broker had kept the message from before the subscription.
    var isRetained = false
}
