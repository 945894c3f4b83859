import EventLoop
import Layout
import Logging
import TouchKit

/// The resources that actions use: programs, connections, a keyboard. Each is created when a layout first needs it.
final class HandlerActions {
    let loop: EpollRunLoop
    let programs: CommandRunner
    let http: HTTPSender
    let mqtt: MQTTPublisher
    let credentials = Credentials()
    /// The virtual keyboard; nil if the layout presses no keys or the keyboard could not be created.
    var keyboard: VirtualKeyboard?
    /// Why the keyboard could not be created; nil if it was created or is not needed.
    var keyboardProblem: String?

    init(loop: EpollRunLoop, failures: LateFailures) {
        self.loop = loop
        programs = CommandRunner(loop: loop, failures: failures)
        let network = NetworkContext(loop: loop, failures: failures, credentials: credentials)
        http = HTTPSender(network)
        mqtt = MQTTPublisher(network)
    }

    /// - Parameter delegate: Receives the messages that name no broker.
    func publish(
        _ spec: PublishSpec, _ facts: OccasionFacts, _ delegate: (any HandlerRunnerDelegate)?
    ) throws(HandlerFailure) {
        let topic = facts.topic(spec.topic)
        let message = spec.message.map(facts.fill) ?? facts.json
        switch spec.destination {
        case .controlSocket:
            guard let delegate else { throw .nowhereToPublish }
            delegate.publish(message, to: topic, isPrivate: facts.isPrivate)
        case .mqtt(let host, let port, let qos, let retain):
            try mqtt.publish(
                .init(handler: facts.origin, topic: topic, payload: Array(message.utf8), qos: qos, retain: retain),
                to: .init(host: host, port: port))
        }
    }

    func emit(_ keys: [String]) throws(HandlerFailure) {
        guard let keyboard else {
            throw .notEmitted(reason: keyboardProblem ?? "the virtual keyboard does not exist")
        }
        try keyboard.press(keys)
    }
}
