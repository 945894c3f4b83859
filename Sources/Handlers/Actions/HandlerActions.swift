import EventLoop
import Layout
import Logging
import TouchKit

/// What is sent to the subscribers of the control socket.
public protocol Publisher: AnyObject {
    /// Sends a message to everybody who subscribed to its topic; must not block.
    func publish(_ message: String, to topic: String)
}

/// What handlers act with: programs, connections, a keyboard; each made when a layout first needs it.
final class HandlerActions {
    let programs: CommandRunner
    /// Where `publish` sends what is for no broker.
    weak var publisher: (any Publisher)?
    /// Reads the layout again, later than in the call.
    var reload: (() -> Void)?

    init(loop: EpollRunLoop, logger: Logger, failures: LateFailures) {
        programs = CommandRunner(loop: loop, failures: failures)
    }

    func publish(_ spec: PublishSpec, _ facts: OccasionFacts) throws(HandlerFailure) {
        let topic = facts.topic(spec.topic)
        let message = spec.message.map(facts.fill) ?? facts.json
        switch spec.destination {
        case .controlSocket:
            guard let publisher else { throw .nowhereToPublish }
            publisher.publish(message, to: topic)
        case .mqtt: break
        }
    }
}
