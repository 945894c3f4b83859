import EventLoop
import Layout
import Logging
import TouchKit

/// Receives messages for the subscribers of the control socket.
package protocol Publisher: AnyObject {
    /// Sends a message to all subscribers of its topic; must not block.
    ///
    /// A private message describes an event in a private view. It goes to the subscribers only and is not written
    /// anywhere else.
    func publish(_ message: String, to topic: String, isPrivate: Bool)
}

/// The resources that actions use: programs, connections, a keyboard. Each is created when a layout first needs it.
final class HandlerActions {
    let loop: EpollRunLoop
    let programs: CommandRunner
    let http: HTTPSender
    let mqtt: MQTTPublisher
    let credentials = Credentials()
    /// Receives the messages of `publish` that name no broker.
    weak var publisher: (any Publisher)?
    /// Reloads the layout, after the current call has returned.
    var reload: (() -> Void)?
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

    func publish(_ spec: PublishSpec, _ facts: OccasionFacts) throws(HandlerFailure) {
        let topic = facts.topic(spec.topic)
        let message = spec.message.map(facts.fill) ?? facts.json
        switch spec.destination {
        case .controlSocket:
            guard let publisher else { throw .nowhereToPublish }
            publisher.publish(message, to: topic, isPrivate: facts.isPrivate)
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
