import Foundation

/// What a handler can do without a line of code.
public nonisolated enum HandlerAction: Sendable, Equatable {
    /// `log:`, writes an entry with this text and the occasion's facts beside it.
    case log(Template)
    /// `exec:`, starts a program.
    case exec(ExecSpec)
    /// `publish:`, tells the subscribers of the control socket, or an MQTT broker.
    case publish(PublishSpec)
    /// `http:`, sends a POST.
    case http(HTTPSpec)
    /// `go:`, `show:`, `hide:`, `enable:`, `disable:`, `toggle:`, `ignore:` or `reload:`.
    case command(LayoutCommand)
    /// `emit:`, presses and releases keys together on a virtual keyboard, by their kernel names (KEY_ENTER, BTN_LEFT).
    case emit([String])

    /// The key by which a layout names the action.
    public var keyword: String {
        switch self {
        case .log: "log"
        case .exec: "exec"
        case .publish: "publish"
        case .http: "http"
        case .command(let command): command.word.rawValue
        case .emit: "emit"
        }
    }
}

/// The `exec:` of a handler: a program word by word; there is no shell, and a template is always one word.
public nonisolated struct ExecSpec: Sendable, Equatable {
    /// The absolute path, and the arguments.
    public var arguments: [Template]
    /// The user to run as, where touchd may change it; nil for touchd's own.
    public var user: String?
    /// After how many seconds it is told to end (SIGTERM), and killed a little later; nil for never.
    public var timeout: TimeInterval?
    /// How many that this step started may run at a time.
    public var limit = 16
}

/// The `publish:` of a handler.
public nonisolated struct PublishSpec: Sendable, Equatable {
    /// Where to.
    public enum Destination: Sendable, Equatable {
        /// The subscribers of the control socket.
        case controlSocket
        /// An MQTT broker, by host and port.
        case mqtt(host: String, port: Int, qos: Int, retain: Bool)
    }

    /// The topic.
    public var topic: Template
    /// The message; nil for the occasion's facts as one JSON object.
    public var message: Template?
    /// Where to.
    public var destination = Destination.controlSocket
}

/// The `http:` of a handler: one POST, sent in order with the others to the same host.
public nonisolated struct HTTPSpec: Sendable, Equatable {
    /// Where to; http or https.
    public var url: Template
    /// The body; nil for the occasion's facts as one JSON object.
    public var body: Template?
    /// Headers beside Content-Type.
    public var headers: [String: Template] = [:]
    /// `credential:`, the systemd credential whose content is sent as bearer token; never logged.
    public var credential: String?
    /// How often it is tried again when it fails.
    public var retries = 3
    /// How many seconds one try may take.
    public var timeout: TimeInterval = 10
}
