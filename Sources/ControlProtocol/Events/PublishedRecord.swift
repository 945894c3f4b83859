/// The event for a message that a handler publishes without a broker.
package struct PublishedRecord {
    private let message: String, topic: String

    /// Creates the record of a message.
    package init(_ message: String, to topic: String) {
        self.message = message
        self.topic = topic
    }

    /// The line as a JSON object.
    package var json: String {
        """
        {"event": "published", "topic": \(JSONText.quoted(topic)), "message": \(JSONText.quoted(message))}
        """
    }

    /// The message as a readable line.
    package var words: String { "published to \(topic): \(message)" }
}
