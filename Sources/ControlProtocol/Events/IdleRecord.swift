/// An idle time that has passed, or its end.
package struct IdleRecord: EventRecord {
    package static let event: StaticString = "idle"

    package enum Trigger: String, CaseIterable, JSONValue, Sendable {
        case idle, woken
    }

    package let trigger: Trigger, after: Double

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("trigger", "`idle`, or `woken` when the screen is touched again") { $0.trigger }
        visitor.member("after", .seconds, "the idle time") { $0.after }
    }

    package init(trigger: Trigger, after: Double) { (self.trigger, self.after) = (trigger, after) }
}
