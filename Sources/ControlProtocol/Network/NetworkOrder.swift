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

// MARK: Packets

extension NetworkOrder: JSONSum {
    package static let prototypes: [NetworkOrder] = [
        .hello(NetworkHello()), .setup(NetworkSetup()), .state(KioskState()), .message(OutgoingMessage()), .finish,
    ]

    package mutating func visit<Visitor: CaseVisitor & ~Copyable>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        switch self {
        case .hello(let hello): self = try visitor.member("hello", hello, Self.hello)
        case .setup(let setup): self = try visitor.member("setup", setup, Self.setup)
        case .state(let state): self = try visitor.member("state", state, Self.state)
        case .message(let message): self = try visitor.member("message", message, Self.message)
        case .finish: try visitor.mark("finish")
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
