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
