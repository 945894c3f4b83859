/// A message of a subscribed topic.
package nonisolated struct BrokerMessage: Equatable, Sendable {
    /// The largest payload that is kept.
    package static let payloadLimit = 1024

    /// The topic.
    package var topic: String
    /// The payload; nil if it is larger than the limit.
    package var payload: [UInt8]?
    /// Whether the broker had kept the message from before the subscription.
    package var isRetained: Bool
}
