import EventLoop
import Layout
import Logging
import TouchKit

/// The resources that actions use: programs, connections, a keyboard. Each is created when a layout first needs it.
final class HandlerActions {
    let programs: CommandRunner
    let network: NetworkLink
    /// The virtual keyboard; nil if the layout presses no keys or the keyboard could not be created.
    var keyboard: VirtualKeyboard?
    /// Why the keyboard could not be created; nil if it was created or is not needed.
    var keyboardProblem: String?

    init(loop: EpollRunLoop, failures: LateFailures, network: NetworkPlace) {
        programs = CommandRunner(loop: loop, failures: failures)
        self.network = NetworkLink(loop: loop, failures: failures, place: network)
    }

    /// - Parameter delegate: Receives the messages that name no broker.
    func publish(
        _ spec: PublishSpec, _ facts: OccasionFacts, _ delegate: (any HandlerRunnerDelegate)?
    ) throws(HandlerFailure) {
        switch spec.destination {
        case .controlSocket:
            guard let delegate else { throw .nowhereToPublish }
            let message = spec.message.map(facts.fill) ?? facts.json
            delegate.publish(message, to: facts.topic(spec.topic), isPrivate: facts.isPrivate)
        case .mqtt(let host, let port, let qos, let retain):
            let message = try message(spec, facts, host: host, port: port, qos: qos, retain: retain)
            try network.send(message, of: facts.origin)
        }
    }

    func emit(_ keys: [String]) throws(HandlerFailure) {
        guard let keyboard else {
            throw .notEmitted(reason: keyboardProblem ?? "the virtual keyboard does not exist")
        }
        try keyboard.press(keys)
    }
}
