/// A finger of a self-test that was hit-tested in the running layout: an event for the client that rehearses.
package struct RehearsalRecord: EventRecord, JSONMessage, Equatable {
    package static let event: StaticString = "rehearsal"

    package var phase = TouchRecord.Phase.began, view = "", x = 0.0, y = 0.0, delay = 0.0
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("phase", "`began`, `ended` or `cancelled`", \.phase)
        visitor.member(
            "view",
            "the view that the finger hit when it came down, as `touchd hit` names it; a private view for all in it",
            \.view)
        visitor.member("x", .points, "the position on the first screen", \.x)
        visitor.member("y", .points, "see `x`", \.y)
        visitor.member("delay", .seconds, "from the kernel's timestamp to the hit test", \.delay)
    }
}
