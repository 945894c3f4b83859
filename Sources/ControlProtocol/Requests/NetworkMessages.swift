import EventLoop
import Glibc

/// An order of touchd to `touchd network`, which does everything that leaves the machine.
package enum NetworkOrder: Equatable, Sendable {
    /// The first packet.
    case hello(NetworkHello)
    /// The brokers, requests and datagrams of the layout. A broker that is missing in it is closed.
    case setup(NetworkSetup)
    /// The state for the broker of the layout's `mqtt:`; the latest one counts.
    case state(KioskState)
    /// A message to send. touchd keeps it until its outcome is reported.
    case message(OutgoingMessage)
    /// No more messages follow: what is left is sent for at most 5 s.
    case finish
}

/// The first packet of a connection.
package struct NetworkHello: JSONMessage, Equatable {
    /// The version of these messages.
    package static let currentVersion = 1

    package var version = currentVersion, session = "", isProbe = false
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("version", "the version of these messages", \.version)
        visitor.member("session", "a name for this run of touchd", \.session)
        visitor.member("isProbe", "whether only an answer is wanted, as by `touchd selftest`", \.isProbe)
    }
}

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

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("server", "the server: `SCHEME://HOST:PORT`", \.server)
        visitor.member("url", "the URL", \.url)
        visitor.member("headers", "the headers, as `Name: value`", \.headers)
        visitor.member("credential", "the credential that is sent as the bearer token", \.credential)
        visitor.member("retries", "how often it is sent again after a temporary failure", \.retries)
        visitor.member("timeout", .seconds, "the time limit of each attempt", \.timeout)
    }
}

/// The state that the broker of the layout's `mqtt:` keeps.
package struct KioskState: JSONMessage, Equatable {
    /// A device, and how touchd uses it.
    package struct Device: JSONMessage, Equatable {
        package var name = "", use = ""
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("name", "the device's name", \.name)
            visitor.member("use", "`used`, `ignored` or `failed`", \.use)
        }
    }

    package var pages: [String] = [], choices: [String] = [], isIdle: Bool?, lastTouch: String?, devices: [Device] = []
    package var network: [NetworkPeer] = []
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("pages", "the shown pages, in the order of the screens", \.pages)
        visitor.member("choices", "the pages that `go` can show, if the layout has one screen", \.choices)
        visitor.member("isIdle", "whether an idle time has passed; absent if the layout has none", \.isIdle)
        visitor.member(
            "lastTouch", "the time of the last touch, in UTC (RFC 3339); absent before the first", \.lastTouch)
        visitor.member("devices", "the devices", \.devices)
        visitor.member("network", "the brokers and servers", \.network)
    }
}

// MARK: Packets

extension NetworkOrder: JSONValue {
    /// Writes an object with one member.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .hello(let hello): writer.member("hello", hello)
        case .setup(let setup): writer.member("setup", setup)
        case .state(let state): writer.member("state", state)
        case .message(let message): writer.member("message", message)
        case .finish: writer.member("finish", true)
        }
        writer.end()
    }

    package init(json: JSONTree) throws(MemberError) {
        guard let (name, value) = json.firstMember else { throw MemberError("an order is expected") }
        self =
            switch name {
            case "hello": .hello(try value.decode())
            case "setup": .setup(try value.decode())
            case "state": .state(try value.decode())
            case "message": .message(try value.decode())
            case "finish": .finish
            default: throw MemberError("an order is expected")
            }
    }

    /// The maximum size of a packet, in bytes.
    package static let packetLimit = 128 * 1024
    /// The maximum size of a message's header, in bytes.
    package static let headerLimit = 16 * 1024
    /// The maximum size of a message's body, in bytes.
    package static let bodyLimit = 64 * 1024

    /// The order as a packet: a line of JSON, and the body of a message.
    package var packet: [UInt8] {
        if case .message(let message) = self { line + message.body } else { line }
    }

    /// Reads a packet; nil if it is invalid.
    package init?(packet: [UInt8]) {
        guard let end = packet.firstIndex(of: UInt8(ascii: "\n")),
            let order = try? JSONTree(packet[..<end]).decode(Self.self)
        else { return nil }
        self = order
        guard case .message(var message) = order else { return }
        guard end <= Self.headerLimit, packet.count - end - 1 <= Self.bodyLimit else { return nil }
        message.body = Array(packet[(end + 1)...])
        self = .message(message)
    }
}

extension PacketSocket {
    /// Sends a value as one packet, with a copy of a descriptor unless it is negative.
    package func send(_ value: some JSONWritable, descriptor passed: Int32 = -1) throws(SystemError) {
        try send(value.jsonLine, descriptor: passed)
    }

    /// Receives the next value; the caller closes a descriptor that comes with it.
    package func receive<Value: JSONReadable>(_ type: Value.Type, limit: Int = packetLimit) -> Received<Value> {
        receive(limit: limit) { try? JSONTree($0).decode(type) }
    }

    /// Receives the next packet and reads it; an invalid one is the end.
    package func receive<Value>(limit: Int = packetLimit, _ read: ([UInt8]) -> Value?) -> Received<Value> {
        switch receive(limit: limit) {
        case .value(let bytes, let descriptor):
            if let value = read(bytes) { return .value(value, descriptor: descriptor) }
            if descriptor >= 0 { close(descriptor) }
            return .end
        case .nothing: return .nothing
        case .end: return .end
        }
    }
}

/// The brokers, credentials and addresses that a layout needs.
package struct NetworkSetup: JSONMessage, Equatable {
    package var brokers: [NetworkBroker] = [], requests: [NetworkRequest] = [], datagrams: [DatagramAddress] = []
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
package struct NetworkBroker: JSONMessage, Equatable {
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
package struct NetworkRequest: JSONMessage, Equatable {
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

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("host", "the IP address", \.host)
        visitor.member("port", "the port", \.port)
    }
}

/// What `touchd network` reports to touchd.
package enum NetworkReport: Equatable, Sendable {
    /// The answer to `hello`: the version of these messages.
    case hello(Int)
    /// The parts of the setup that will fail, such as a missing credential; each report replaces the one before it.
    case problems([SetupProblem])
    /// A message is about to be sent that must not be sent twice: a request, or one of quality of service 0.
    case begun(Int)
    /// These messages have arrived.
    case done([Int])
    /// A message is given up.
    case failed(Int, reason: String)
    /// The connection to a broker or server has changed.
    case peer(NetworkPeer)
    /// The broker of the layout's `mqtt:` gives a command.
    case command(LayoutCommand)
    /// A command of that broker is malformed, retained or too long.
    case refused(LayoutCommand.Kind, reason: String)
    /// The connected socket for datagrams to an address of the setup comes with this packet.
    case datagram(Int)

    /// The maximum size of a packet, in bytes.
    package static let packetLimit = 16 * 1024
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

extension NetworkReport: JSONValue {
    /// Writes an object with one member, which may have others beside it.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .hello(let version): writer.member("hello", version)
        case .problems(let problems): writer.member("problems", problems)
        case .begun(let number): writer.member("begun", number)
        case .done(let numbers): writer.member("done", numbers)
        case .failed(let number, let reason):
            writer.member("failed", number)
            writer.member("reason", reason)
        case .peer(let peer): writer.member("peer", peer)
        case .command(let command):
            writer.member("command", command.kind)
            writer.member("name", command.name)
            if case .ignore(let seconds) = command { writer.member("seconds", seconds) }
        case .refused(let kind, let reason):
            writer.member("refused", kind)
            writer.member("reason", reason)
        case .datagram(let index): writer.member("datagram", index)
        }
        writer.end()
    }

    package init(json: JSONTree) throws(MemberError) {
        guard let (name, value) = json.firstMember else { throw MemberError("a report is expected") }
        func reason() throws(MemberError) -> String { try json.expect(json["reason"], "a reason").decode() }
        self =
            switch name {
            case "hello": .hello(try value.decode())
            case "problems": .problems(try value.decode())
            case "begun": .begun(try value.decode())
            case "done": .done(try value.decode())
            case "failed": .failed(try value.decode(), reason: try reason())
            case "peer": .peer(try value.decode())
            case "command": .command(try Self.command(value.decode(), json))
            case "refused": .refused(try value.decode(), reason: try reason())
            case "datagram": .datagram(try value.decode())
            default: throw MemberError("a report is expected")
            }
    }

    private static func command(_ kind: LayoutCommand.Kind, _ json: JSONTree) throws(MemberError) -> LayoutCommand {
        switch kind.operand {
        case .page, .view:
            let name: String = try json.expect(json["name"], "a name").decode()
            return try json.expect(LayoutCommand(kind, name: name), "a command")
        case .seconds: return .ignore(seconds: try json.expect(json["seconds"], "a time").decode())
        case nil: return .reload
        }
    }
}
