/// A message that a handler publishes without a broker.
package struct PublishedRecord: EventRecord {
    package static let event: StaticString = "published"

    package let topic: String, message: String

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("topic", "the topic of the handler's `publish:`") { $0.topic }
        visitor.member("message", "the message") { $0.message }
    }

    package init(_ message: String, to topic: String) { (self.message, self.topic) = (message, topic) }
}
