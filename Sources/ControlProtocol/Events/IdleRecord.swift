/// An idle time that has passed, or its end.
package struct IdleRecord: EventRecord {
    package static let event: StaticString = "idle"

    package enum Trigger: String, CaseIterable, JSONValue, Sendable {
        case idle, woken
    }

    /// Always set; an older touchd does not send it.
    package let time: Double?
    package let trigger: Trigger, after: Double

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("time", .seconds, "as for a touch") { $0.time }
        visitor.member("trigger", "`idle`, or `woken` when the screen is touched again") { $0.trigger }
        visitor.member("after", .seconds, "the idle time") { $0.after }
    }

    package init(time: Double, trigger: Trigger, after: Double) {
        (self.time, self.trigger, self.after) = (time, trigger, after)
    }
}
