/// Events that are missing, because the reader was too slow.
package struct DroppedRecord: EventRecord {
    package static let event: StaticString = "dropped"

    package let count: Int

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("count", "how many events are missing here") { $0.count }
    }

    package init(count: Int) { self.count = count }
}
