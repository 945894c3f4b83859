/// A value for the client that has published a view, and for nobody else. It cannot be written to anybody.
package struct ForPublisher<Value: Sendable>: Sendable {
    private let value: Value
    private let publisher: ObjectIdentifier

    /// Encloses a value for a client.
    package init(_ value: Value, publisher: ObjectIdentifier) { (self.value, self.publisher) = (value, publisher) }

    /// The value, if this client has published the view.
    package func opened(by client: ObjectIdentifier) -> Value? { client == publisher ? value : nil }
}
