import ControlProtocol
import Foundation

/// An action that a handler can take without program code.
package nonisolated enum HandlerAction: Sendable, Equatable {
    /// `log:`, writes an entry with this text and the event's facts.
    case log(Template)
    /// `exec:`, starts a program.
    case exec(ExecSpec)
    /// `publish:`, sends a message to the subscribers of the control socket, or to an MQTT broker.
    case publish(PublishSpec)
    /// `http:`, sends a POST request.
    case http(HTTPSpec)
    /// `go:`, `show:`, `hide:`, `enable:`, `disable:`, `toggle:`, `ignore:` or `reload:`.
    case command(LayoutCommand)
    /// `emit:`, presses and releases keys together on a virtual keyboard, by their kernel names (KEY_ENTER, BTN_LEFT).
    case emit([String])

    /// The action's key in a layout.
    package var keyword: String {
        switch self {
        case .log: "log"
        case .exec: "exec"
        case .publish: "publish"
        case .http: "http"
        case .command(let command): command.kind.rawValue
        case .emit: "emit"
        }
    }
}

/// The `exec:` of a handler: a program and its arguments. No shell runs them, and a template is always one argument.
package nonisolated struct ExecSpec: Sendable, Equatable {
    /// The absolute path of the program, and its arguments.
    package var arguments: [Template] = []
    /// The user to run as, if touchd may change users; nil for touchd's user.
    package var user: String?
    /// The time in seconds until SIGTERM, which SIGKILL follows a little later; nil for no limit.
    package var timeout: TimeInterval?
    /// The maximum number of running programs that this step started.
    package var limit = 16
}

/// The `publish:` of a handler.
package nonisolated struct PublishSpec: Sendable, Equatable {
    /// The destination of a message.
    package enum Destination: Sendable, Equatable {
        /// The subscribers of the control socket.
        case controlSocket
        /// An MQTT broker, by host and port.
        case mqtt(host: String, port: Int, qos: Int, retain: Bool)
    }

    /// The topic.
    package var topic = Template(verbatim: "")
    /// The message; nil for the event's facts as a JSON object.
    package var message: Template?
    /// The destination.
    package var destination = Destination.controlSocket
}

/// The `http:` of a handler: a POST request, sent in order with the other requests to the same host.
package nonisolated struct HTTPSpec: Sendable, Equatable {
    /// The URL, http or https.
    package var url = Template(verbatim: "")
    /// The body; nil for the event's facts as a JSON object.
    package var body: Template?
    /// Headers in addition to Content-Type.
    package var headers: [String: Template] = [:]
    /// `credential:`, the systemd credential whose content is the bearer token; never logged.
    package var credential: String?
    /// The number of retries after a failure.
    package var retries = 3
    /// The time limit of each attempt, in seconds.
    package var timeout: TimeInterval = 10
}
