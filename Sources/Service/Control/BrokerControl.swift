import ControlProtocol
import EventLoop
import Foundation
import Handlers
import Layout
import Logging

/// The layout's `mqtt:`: sends touchd's state to a broker, and performs the commands that its messages give.
///
/// A command has the same effect as on the control socket. A message that is malformed, too long, too frequent or
/// retained is dropped and logged; the log has a limit too.
final class BrokerControl {
    /// The commands that are performed per second, and at once.
    static let commandRate = 5.0, commandBurst = 20.0
    /// The shortest time between two updates of the state.
    private static let pause = Duration.seconds(1)

    private let loop: EpollRunLoop
    private let logger: Logger
    private let makeLink: (BrokerLink.Settings) -> BrokerLink
    /// The current state.
    private let state: () -> BrokerState
    /// Performs a command; `nil` on success.
    private let perform: (LayoutCommand) -> ControlError?
    private var spec: MQTTSpec?
    private var link: BrokerLink?
    private lazy var timer: RunLoopTimer = {
        let timer = RunLoopTimer(name: "mqtt.state", tolerance: .milliseconds(100)) { [weak self] _ in self?.update() }
        loop.add(timer)
        return timer
    }()
    private var earliest = Deadline(nanoseconds: 0)
    private var commands = TokenBucket(rate: BrokerControl.commandRate, capacity: BrokerControl.commandBurst)
    private var refusals = RefusalLimit()

    /// Creates a control without a broker.
    init(
        loop: EpollRunLoop, logger: Logger, makeLink: @escaping (BrokerLink.Settings) -> BrokerLink,
        state: @escaping () -> BrokerState, perform: @escaping (LayoutCommand) -> ControlError?
    ) {
        self.loop = loop
        self.logger = logger
        self.makeLink = makeLink
        self.state = state
        self.perform = perform
    }

    /// Follows a layout's `mqtt:`; the connection stays if nothing in it has changed but the discovery.
    func follow(_ new: MQTTSpec?) {
        let old = spec.map { settings(of: $0) }
        spec = new
        guard let new else { return close() }
        let wanted = settings(of: new)
        if wanted != old || link == nil {
            link?.close()
            link = makeLink(wanted)
            link?.didReceive = { [unowned self] in received($0) }
            link?.didChange = { [unowned self] in changed($0) }
            link?.set(topics())
            link?.open()
        }
        setNeedsUpdate()
    }

    /// Marks the state as possibly changed; it is sent in the loop's next pass, or when the pause is over.
    func setNeedsUpdate() {
        guard link != nil, !(timer.isArmed && timer.deadline <= earliest) else { return }
        timer.reschedule(at: earliest)
    }

    /// Reports `offline` and closes the connection.
    func close() {
        guard let link else { return }
        link.close()
        self.link = nil
        timer.cancel()
    }

    private func update() {
        earliest = .after(Self.pause)
        link?.set(topics())
    }

    private func topics() -> [String: String] { spec.map { state().topics($0, start: Self.start(of: $0)) } ?? [:] }

    private func settings(of spec: MQTTSpec) -> BrokerLink.Settings {
        let start = Self.start(of: spec)
        return BrokerLink.Settings(
            host: spec.host, port: spec.port, availability: "\(start)/availability",
            subscriptions: spec.commands.map { "\(start)/command/\($0.rawValue)" })
    }

    private static func start(of spec: MQTTSpec) -> String {
        spec.topic ?? "touchd/\(ProcessInfo.processInfo.hostName)"
    }

    // MARK: Messages

    private func received(_ message: BrokerMessage) {
        guard let spec, let kind = kind(of: message, spec) else { return }
        guard commands.take() else {
            return refuse(kind, "more than \(Int(Self.commandRate)) commands per second")
        }
        do throws(ControlError) {
            let command = try LayoutCommand(kind, message)
            if let error = perform(command) { throw error }
            logger.info("\(link?.name ?? "mqtt"): command '\(kind.rawValue)' \(command.name ?? "")")
        } catch {
            refuse(kind, error.message)
        }
    }

    private func kind(of message: BrokerMessage, _ spec: MQTTSpec) -> LayoutCommand.Kind? {
        spec.commands.first { message.topic == "\(Self.start(of: spec))/command/\($0.rawValue)" }
    }

    private func refuse(_ kind: LayoutCommand.Kind, _ reason: String) {
        guard let others = refusals.ending() else { return }
        logger.warning(
            "\(link?.name ?? "mqtt"): command '\(kind.rawValue)' refused: \(reason)\(others)",
            metadata: MessageID.controlRefused.metadata)
    }

    private func changed(_ change: BrokerLink.Change) {
        let name = link?.name ?? "mqtt"
        switch change {
        case .connected: logger.info("\(name): connected")
        case .unreachable(let reason):
            logger.error("\(name): \(reason); touchd will retry", metadata: MessageID.messageNotSent.metadata)
        case .oversized(let topic):
            let limit = "\(BrokerLink.retainedLimit >> 10) KiB"
            logger.error(
                """
                \(name): the broker retains a message of over \(limit) for '\(topic)', so this command is ignored; \
                remove it with 'mosquitto_pub -r -n -t \(topic)', then restart touchd
                """,
                metadata: MessageID.controlRefused.metadata)
        case .subscriptionRefused:
            logger.error(
                "\(name): the broker does not allow a subscription; check its access control list",
                metadata: MessageID.controlRefused.metadata)
        }
    }
}

nonisolated extension LayoutCommand {
    /// The command that a message gives: its payload is the page, the view or the time.
    init(_ kind: Kind, _ message: BrokerMessage) throws(ControlError) {
        guard !message.isRetained else {
            throw ControlError(
                .wrongArgument, "the message was retained, so it may be old; publish commands without 'retain'")
        }
        guard let payload = message.payload else {
            throw ControlError(
                .wrongArgument, "the payload must be at most \(BrokerMessage.payloadLimit) bytes long")
        }
        guard let text = String(validating: payload, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw ControlError(.wrongArgument, "the payload must be UTF-8 without control characters") }
        switch kind.operand {
        case .page, .view:
            guard let command = LayoutCommand(kind, name: text) else { preconditionFailure("it takes a name") }
            self = command
        case .seconds:
            guard let time = Duration(timeText: text), time / .seconds(1) <= ControlRequest.longestIgnoring else {
                throw ControlError(
                    .wrongArgument,
                    "the payload must be a time of at most 1 d, such as 30, 10 min or 0 (got '\(text.prefix(40))')")
            }
            self = .ignore(seconds: time / .seconds(1))
        case nil: self = .reload
        }
    }
}
