import Basics
import Glibc

/// A message of a handler for a broker or a server. The bytes of the message follow the packet's header.
package struct OutgoingMessage: JSONMessage, Equatable {
    /// A number that is greater than those of the messages before it.
    package var number = 0
    /// The handler, as log entries name it.
    package var handler = ""
    package var mqtt: MQTTMessage?, http: HTTPMessage?
    package var body: [UInt8] = []
    package init() {}

    /// The name of the broker or server.
    package var peer: String { mqtt?.broker ?? http?.server ?? "" }

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("number", "its number", \.number)
        visitor.member("handler", "the handler that sends it", \.handler)
        visitor.member("mqtt", "where it is published", \.mqtt)
        visitor.member("http", "the request that it is the body of", \.http)
    }
}

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

    /// The time of all attempts and of the delays between them.
    package var timeLimit: Duration {
        var delays = RetryDelays()
        return (0..<max(retries, 0)).reduce(.seconds(timeout)) { time, _ in time + delays.next() + .seconds(timeout) }
    }

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("server", "the server: `SCHEME://HOST:PORT`", \.server)
        visitor.member("url", "the URL", \.url)
        visitor.member("headers", "the headers, as `Name: value`", \.headers)
        visitor.member("credential", "the credential that is sent as the bearer token", \.credential)
        visitor.member("retries", "how often it is sent again after a temporary failure", \.retries)
        visitor.member("timeout", .seconds, "the time limit of each attempt", \.timeout)
    }
}
