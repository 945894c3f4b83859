import Basics
import ControlProtocol
import EventLoop
import Foundation
import Handlers
import Layout
import Logging

/// The service's part of the network: sends touchd's state to the broker of the layout's `mqtt:`, performs the commands
/// that its messages give, and logs which brokers and servers cannot be reached.
///
/// A command has the same effect as on the control socket. One that is not listed or too frequent is dropped and logged; the
/// log has a limit too.
final class NetworkHost {
    /// The commands that are performed per second, and at once.
    static let commandRate = 5.0, commandBurst = 20.0
    /// The maximum number of problems of a layout, and of log entries on problems at once.
    static let problemLimit = 32
    /// The shortest time between two updates of the state.
    private static let pause = Duration.seconds(1)

    private let client: NetworkClient
    private let loop: EpollRunLoop
    private let logger: Logger
    private let state: () -> KioskState
    private let perform: (LayoutCommand) -> ControlError?
    private let takeDatagrams: (PassedDescriptor) -> Void
    private var spec: MQTTSpec?
    private lazy var throttle = Throttle(
        name: "mqtt.state", pause: Self.pause, tolerance: .milliseconds(100), loop: loop
    ) { [weak self] in self?.update() }
    private var commands = TokenBucket(rate: NetworkHost.commandRate, capacity: NetworkHost.commandBurst)
    private var refusals = RefusalLimit()
    private var faults = RefusalLimit(of: "problems", atOnce: Double(NetworkHost.problemLimit))
    private var problems: [SetupProblem] = []

    /// - Parameter takeDatagrams: Uses a connected socket for touches as TUIO.
    init(
        _ client: NetworkClient, loop: EpollRunLoop, logger: Logger, state: @escaping () -> KioskState,
        perform: @escaping (LayoutCommand) -> ControlError?, takeDatagrams: @escaping (PassedDescriptor) -> Void
    ) {
        self.client = client
        self.loop = loop
        self.logger = logger
        self.state = state
        self.perform = perform
        self.takeDatagrams = takeDatagrams
        client.report = { [weak self] in self?.handle($0) }
    }

    func follow(_ new: MQTTSpec?) {
        spec = new
        setNeedsUpdate()
    }

    /// Marks the state as possibly changed; it is sent in the loop's next pass, or when the pause is over.
    func setNeedsUpdate() {
        if spec != nil { throttle.request() }
    }

    private func update() {
        guard spec != nil else { return }
        throttle.startPause()
        client.set(state())
    }

    // MARK: Reports

    private func handle(_ news: NetworkClient.Report) {
        switch news {
        case .peer(let peer, let former):
            setNeedsUpdate()
            if peer.phase == .connected, former?.phase != .connected { logger.info("\(peer.name): connected") }
            // A request that is given up is a failure of its handler.
            guard peer.phase == .waiting, let error = peer.error,
                error != former?.error || former?.phase == .connected, let others = faults.ending()
            else { return }
            logger.error(
                "\(peer.name): \(error); touchd will retry\(others)", metadata: MessageID.messageNotSent.metadata)
        case .problems(let problems):
            let problems = Array(problems.prefix(Self.problemLimit))
            for problem in problems where !self.problems.contains(problem) {
                guard let others = faults.ending() else { continue }
                logger.warning(
                    "\(problem.location): warning: \(problem.message)\(others)",
                    metadata: MessageID.layoutLoaded.metadata)
            }
            self.problems = problems
        case .failed(let reason):
            logger.error(
                "messages and requests wait: \(reason); touchd will retry",
                metadata: MessageID.messageNotSent.metadata)
        case .datagrams(let socket): takeDatagrams(socket)
        case .command(let command): performIfAllowed(command)
        case .refused(let kind, let reason): refuse(kind, reason)
        }
    }

    /// Performs a command; the other process is not trusted with more than the layout allows.
    private func performIfAllowed(_ command: LayoutCommand) {
        guard spec?.commands.contains(command.kind) == true else {
            return refuse(command.kind, "the layout's 'mqtt' does not list it")
        }
        guard commands.take() else {
            return refuse(command.kind, "more than \(Int(Self.commandRate)) commands per second")
        }
        if let error = perform(command) { return refuse(command.kind, error.message) }
        logger.info("\(name): command '\(command.kind.rawValue)' \(command.name ?? "")")
    }

    private var name: String { spec.map { BrokerSetup.name($0.host, $0.port) } ?? "mqtt" }

    private func refuse(_ kind: LayoutCommand.Kind, _ reason: String) {
        guard let others = refusals.ending() else { return }
        logger.warning(
            "\(name): command '\(kind.rawValue)' refused: \(reason)\(others)",
            metadata: MessageID.controlRefused.metadata)
    }
}
