import ControlProtocol

/// `mqtt:`, the broker that receives touchd's state and may send commands.
package nonisolated struct MQTTSpec: Sendable, Equatable {
    /// The broker's host.
    package var host = ""
    /// The broker's port.
    package var port = 1883
    /// `topic:`, the beginning of all topics; nil for one made from the host's name.
    package var topic: String?
    /// `commands:`, the commands that messages may give; none by default.
    package var commands: [LayoutCommand.Kind] = []
    /// `discovery:`, the first level of the topics in which Home Assistant looks for devices; nil for none.
    package var discovery: String?
    /// `client-id:`, the client identifier for brokers; nil for one made from the host's name, `topic:` and the file.
    package var clientID: String?
    /// The location of the host.
    package var location = SourceLocation()
}
