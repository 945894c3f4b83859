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
