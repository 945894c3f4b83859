/// One attempt to have a connection to a broker, as the helper uses it: `MosquittoClient`, or a model in a test.
struct BrokerClient {
    /// The values that a connection needs.
    nonisolated struct Target: Equatable {
        var host = "", port = 0
        /// The client identifier; empty to let the broker choose one.
        var clientID = ""
        /// The topic of the last will, `offline`, which the broker publishes when the connection is lost (MQTT 3.1.1,
        /// 3.1.2.5); nil for none.
        var willTopic: String?
        /// The topics of which messages may arrive.
        var topics: Set<String> = []
        var username: String?, password: String?
        var usesTLS = false
        /// A file of certificates to trust instead of the system's; for tests only.
        var certificates: String?

        /// Whether two targets share a connection: credentials are only for the next one.
        func sharesConnection(with other: Target) -> Bool {
            clientID == other.clientID && willTopic == other.willTopic && topics == other.topics
        }
    }

    /// The result of handing a message over.
    nonisolated enum Handover: Equatable {
        /// `.published` will report this number.
        case sent(Int32)
        /// The message itself is invalid; with the reason.
        case invalid(String)
        /// The connection is gone, and the message with none of its last bytes sent; with the reason.
        case disconnected(String)
    }

    /// A report of a connection; nothing follows `.ended` and `.flooded`.
    nonisolated enum Report: Equatable {
        /// The broker accepted the client.
        case connected
        /// A message was confirmed as its quality of service requires.
        case published(Int32)
        /// A message of a subscribed topic arrived.
        case received(BrokerMessage)
        /// The broker does not allow a subscription.
        case subscriptionRefused
        /// The connection was ended because too much arrived; with the reason.
        case flooded(String)
        /// The connection ended or failed; with the reason, and whether a message may be the broker's reason.
        case ended(String, byBroker: Bool)
    }

    /// Starts to connect; reports come later, and none after `close`.
    typealias Connect = (Target, @escaping (Report) -> Void) -> BrokerClient

    /// Hands a message over: payload, topic, quality of service, whether it is retained.
    var publish: ([UInt8], String, Int, Bool) -> Handover
    /// Subscribes to one of the target's topics.
    var subscribe: (String) -> Void
    /// Closes the connection without a report.
    var close: () -> Void
}
