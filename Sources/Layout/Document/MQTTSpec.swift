/// `mqtt:`, the broker that receives touchd's state and may send commands.
public nonisolated struct MQTTSpec: Sendable, Equatable {
    /// The broker's host.
    public var host: String
    /// The broker's port.
    public var port: Int
    /// `topic:`, the beginning of all topics; nil for `touchd/HOSTNAME`.
    public var topic: String?
    /// `commands:`, the commands that messages may give; none by default.
    public var commands: [LayoutCommand.Kind] = []
    /// `discovery:`, the first level of the topics in which Home Assistant looks for devices; nil for none.
    public var discovery: String?
    /// The location of the host.
    public var location: SourceLocation

    /// Makes a specification.
    public init(host: String, port: Int = 1883, location: SourceLocation) {
        self.host = host
        self.port = port
        self.location = location
    }
}
