import EventLoop
import Layout
import Logging
import TouchKit

/// What is sent to the subscribers of the control socket.
public protocol Publisher: AnyObject {
    /// Sends a message to everybody who subscribed to its topic; must not block.
    ///
    /// One that is private, since what it tells of happened in a private view, goes to its subscribers and is not written
    /// anywhere else.
    func publish(_ message: String, to topic: String, isPrivate: Bool)
}

/// What handlers act with: programs, connections, a keyboard; each made when a layout first needs it.
final class HandlerActions {
    let programs: CommandRunner
    let http: HTTPSender
    let mqtt: MQTTPublisher
    let credentials = Credentials()
    /// Where `publish` sends what is for no broker.
    weak var publisher: (any Publisher)?
    /// Reads the layout again, later than in the call.
    var reload: (() -> Void)?
    /// There where the layout presses keys.
    var keyboard: VirtualKeyboard?
    /// Why there is none though the layout presses keys.
    var keyboardProblem: String?

    init(loop: EpollRunLoop, failures: LateFailures) {
        programs = CommandRunner(loop: loop, failures: failures)
        http = HTTPSender(loop: loop, failures: failures, credentials: credentials)
        mqtt = MQTTPublisher(loop: loop, failures: failures, credentials: credentials)
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
                .init(handler: facts.handler, topic: topic, payload: Array(message.utf8), qos: qos, retain: retain),
                to: .init(host: host, port: port))
        }
    }

    func emit(_ keys: [String]) throws(HandlerFailure) {
        guard let keyboard else {
            throw .notEmitted(reason: keyboardProblem ?? "the layout was loaded without a keyboard")
        }
        try keyboard.press(keys)
    }
}
