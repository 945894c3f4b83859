import Glibc

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
    case peer(PeerState)
    /// The broker of the layout's `mqtt:` gives a command.
    case command(LayoutCommand)
    /// A command of that broker is malformed, retained or too long.
    case refused(LayoutCommand.Kind, reason: String)
    /// The connected socket for datagrams to an address of the setup comes with this packet.
    case datagram(Int)

    /// The maximum size of a packet, in bytes.
    package static let packetLimit = 16 * 1024
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
