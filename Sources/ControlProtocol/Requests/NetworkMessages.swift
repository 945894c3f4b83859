/// Where a message is published.
package struct MQTTMessage: JSONMessage, Equatable {
    /// The broker's name, as in `NetworkSetup`.
    package var broker = ""
    package var topic = "", qos = 0, retain = false
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("broker", "the broker: `mqtt://HOST:PORT`", \.broker)
        visitor.member("topic", "the topic", \.topic)
        visitor.member("qos", "the quality of service", \.qos)
        visitor.member("retain", "whether the broker keeps it", \.retain)
    }
}

/// A POST request.
package struct HTTPMessage: JSONMessage, Equatable {
    /// The server: `SCHEME://HOST:PORT`. Requests to one server are sent in order.
    package var server = ""
    package var url = "", headers: [String] = [], credential: String?, retries = 0, timeout = 0.0
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("server", "the server: `SCHEME://HOST:PORT`", \.server)
        visitor.member("url", "the URL", \.url)
        visitor.member("headers", "the headers, as `Name: value`", \.headers)
        visitor.member("credential", "the credential that is sent as the bearer token", \.credential)
        visitor.member("retries", "how often it is sent again after a temporary failure", \.retries)
        visitor.member("timeout", .seconds, "the time limit of each attempt", \.timeout)
    }
}
