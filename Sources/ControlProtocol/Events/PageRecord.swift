/// Another page that is shown.
package struct PageRecord: EventRecord {
    package static let event: StaticString = "page"

    package let page: String
    /// The page's screen: for the journal, no member of the event.
    package var screen: String?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("page", "the page that is shown now") { $0.page }
    }

    package init(page: String, screen: String? = nil) { (self.page, self.screen) = (page, screen) }
}
