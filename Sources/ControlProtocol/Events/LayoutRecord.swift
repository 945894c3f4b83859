/// A layout that was loaded.
package struct LayoutRecord: EventRecord {
    package static let event: StaticString = "layout"

    package let layout: String

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("layout", "the path of the layout that was loaded") { $0.layout }
    }

    package init(layout: String) { self.layout = layout }
}
