/// A message that a handler publishes without a broker.
package struct PublishedRecord: EventRecord {
    package static let event: StaticString = "published"

    /// Always set; an older touchd does not send it.
    package let time: Double?
    package let topic: String, message: String

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("time", .seconds, "as for a touch") { $0.time }
        visitor.member("topic", "the topic of the handler's `publish:`") { $0.topic }
        visitor.member("message", "the message") { $0.message }
    }

    package init(time: Double, _ message: String, to topic: String) {
        (self.time, self.message, self.topic) = (time, message, topic)
    }
}
