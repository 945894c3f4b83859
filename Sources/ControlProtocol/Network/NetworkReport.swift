import Basics
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

    /// The report with texts that can be logged and shown, and are short: they may come from a broker, a server or a hijacked
    /// process.
    package var printable: NetworkReport {
        switch self {
        case .problems(let problems):
            .problems(
                problems.map { problem in
                    SetupProblem {
                        ($0.location, $0.message) = (problem.location.shown, problem.message.shown)
                    }
                })
        case .failed(let number, let reason): .failed(number, reason: reason.shown)
        case .peer(let peer):
            .peer(
                PeerState {
                    $0 = peer
                    $0.error = peer.error?.shown
                })
        case .command(.named(let kind, let name)): .command(.named(kind, name.shown))
        case .command(.say(let text, let language)): .command(.say(text.shown, language: language))
        case .refused(let kind, let reason): .refused(kind, reason: reason.shown)
        default: self
        }
    }
}

extension String {
    /// The first 500 characters, printable.
    fileprivate var shown: String { String(prefix(500)).printable }
}

extension NetworkReport: JSONSum {
    package static let prototypes: [NetworkReport] = [
        .hello(0), .problems([]), .begun(0), .done([]), .failed(0, reason: ""), .peer(PeerState()), .command(.reload),
        .refused(.reload, reason: ""), .datagram(0),
    ]

    package mutating func visit<Visitor: CaseVisitor & ~Copyable>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        switch self {
        case .hello(let version): self = try visitor.member("hello", version, Self.hello)
        case .problems(let problems): self = try visitor.member("problems", problems, Self.problems)
        case .begun(let number): self = try visitor.member("begun", number, Self.begun)
        case .done(let numbers): self = try visitor.member("done", numbers, Self.done)
        case .failed(var number, var reason):
            try visitor.member("failed", &number)
            try visitor.member("reason", &reason)
            self = .failed(number, reason: reason)
        case .peer(let peer): self = try visitor.member("peer", peer, Self.peer)
        case .command(var command):
            var kind = command.kind
            try visitor.member("command", &kind)
            if kind != command.kind { command = LayoutCommand(prototypeOf: kind) }
            switch command {
            case .named(let kind, let name): command = try visitor.member("name", name) { .named(kind, $0) }
            case .say(let text, let language):
                command = try visitor.member("name", text) { .say($0, language: language) }
            case .ignore(var seconds):
                try visitor.member("seconds", .number(in: 0...ControlRequest.longestIgnoring), "", &seconds)
                command = .ignore(seconds: seconds)
            case .turned(let kind, let isOn): command = try visitor.member("on", isOn) { .turned(kind, on: $0) }
            case .reload: break
            }
            self = .command(command)
        case .refused(var kind, var reason):
            try visitor.member("refused", &kind)
            try visitor.member("reason", &reason)
            self = .refused(kind, reason: reason)
        case .datagram(let index): self = try visitor.member("datagram", index, Self.datagram)
        }
    }
}
