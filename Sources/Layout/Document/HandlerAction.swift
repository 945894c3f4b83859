import ControlProtocol

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
    /// `go:`, `show:`, `hide:`, `enable:`, `disable:`, `toggle:`, `ignore:`, `accommodate:`, `talk:`, `say:`, `language:` or `reload:`.
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
