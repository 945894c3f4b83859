/// A finger of a self-test that was hit-tested in the running layout: an event for the client that rehearses.
package struct RehearsalRecord: EventRecord, Decodable, Equatable {
    package static let event: StaticString = "rehearsal"

    package let phase: String, view: String, x: Double, y: Double, delay: Double

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("phase", "`began`, `ended` or `cancelled`") { $0.phase }
        visitor.member(
            "view",
            "the view that the finger hit when it came down, as `touchd hit` names it; a private view for all in it"
        ) { $0.view }
        visitor.member("x", .points, "the position on the first screen") { $0.x }
        visitor.member("y", .points, "see `x`") { $0.y }
        visitor.member("delay", .seconds, "from the kernel's timestamp to the hit test") { $0.delay }
    }

    package func write(to writer: inout JSONWriter) { writer.write(event: self) }

    /// Creates a record.
    package init(phase: String, view: String, x: Double, y: Double, delay: Double) {
        (self.phase, self.view, self.x, self.y, self.delay) = (phase, view, x, y, delay)
    }
}
