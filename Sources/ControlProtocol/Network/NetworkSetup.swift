import Glibc

/// The brokers, credentials and addresses that a layout needs.
package struct NetworkSetup: JSONMessage, Equatable {
    package var brokers: [BrokerSetup] = [], requests: [RequestSetup] = [], datagrams: [DatagramAddress] = []
    package init() {}

    /// Whether the layout needs nothing.
    package var isEmpty: Bool { brokers.isEmpty && requests.isEmpty && datagrams.isEmpty }

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("brokers", "the brokers", \.brokers)
        visitor.member("requests", "the actions that send requests", \.requests)
        visitor.member("datagrams", "where the touches go as TUIO", \.datagrams)
    }
}

/// A broker of `mqtt:` or `publish`.
package struct BrokerSetup: JSONMessage, Equatable {
    package var host = "", port = 0, clientID = "", location = "", kiosk: KioskTopics?
    package init() {}

    /// The name of the broker: `mqtt://HOST:PORT`.
    package var name: String { Self.name(host, port) }

    /// The name of a broker.
    package static func name(_ host: String, _ port: Int) -> String { "mqtt://\(host):\(port)" }

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("host", "the host", \.host)
        visitor.member("port", "the port", \.port)
        visitor.member("clientID", "the client identifier (MQTT 3.1.1, 3.1.3.1)", \.clientID)
        visitor.member("location", "the place in the layout", \.location)
        visitor.member("kiosk", "the topics of the kiosk, for the broker of `mqtt:`", \.kiosk)
    }
}

/// The topics under which a kiosk has its state and takes commands.
package struct KioskTopics: JSONMessage, Equatable {
    package var start = "", commands: [LayoutCommand.Kind] = [], discovery: String?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("start", "the first levels of all topics", \.start)
        visitor.member("commands", "the commands that messages may give", \.commands)
        visitor.member(
            "discovery", "the first level of the topics in which Home Assistant looks for devices", \.discovery)
    }
}

/// An action that sends requests.
package struct RequestSetup: JSONMessage, Equatable {
    package var credential: String?, location = ""
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("credential", "the credential that it needs", \.credential)
        visitor.member("location", "the place in the layout", \.location)
    }
}

/// Where datagrams go: an IP address and a port of UDP.
package struct DatagramAddress: JSONMessage, Equatable {
    package var host = "", port = 0
    package init() {}

    /// The name of the receiver: `udp://HOST:PORT`.
    package var name: String { "udp://\(host):\(port)" }

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("host", "the IP address", \.host)
        visitor.member("port", "the port", \.port)
    }
}

/// A part of the layout that will fail.
package struct SetupProblem: JSONMessage, Equatable {
    package var location = "", message = ""
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("location", "the place in the layout", \.location)
        visitor.member("message", "what will fail, why, and how to fix it", \.message)
    }
}
