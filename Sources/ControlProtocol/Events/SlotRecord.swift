/// A change of the views in a slot.
package struct SlotRecord: EventRecord {
    package static let event: StaticString = "slot"

    package enum Change: String, CaseIterable, JSONValue, Sendable {
        case taken, emptied, resized, published, moved
    }

    package let slot: String, change: Change, reason: String?, x, y, width, height: Double?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("slot", "the slot's name") { $0.slot }
        visitor.member("change", "`taken`, `emptied` or `resized`; for `inspection` `published`, `moved` or `emptied`")
        {
            $0.change
        }
        visitor.member("reason", "with `emptied`: why a new layout does not accept the views") { $0.reason }
        visitor.member("x", .points, "with `resized`: the slot's new frame") { $0.x }
        visitor.member("y", .points, "see `x`") { $0.y }
        visitor.member("width", .points, "see `x`") { $0.width }
        visitor.member("height", .points, "see `x`") { $0.height }
    }

    package init(slot: String, change: Change, reason: String? = nil, frame: Frame? = nil) {
        (self.slot, self.change, self.reason) = (slot, change, reason)
        (x, y, width, height) = (frame?.x, frame?.y, frame?.width, frame?.height)
    }
}
