/// Another page that is shown.
package struct PageRecord: EventRecord {
    package static let event: StaticString = "page"

    /// Always set; an older touchd does not send it.
    package let time: Double?
    package let page: String
    /// The page's screen: for the journal, no member of the event.
    package var screen: String?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("time", .seconds, "as for a touch") { $0.time }
        visitor.member("page", "the page that is shown now") { $0.page }
    }

    package init(time: Double, page: String, screen: String? = nil) {
        (self.time, self.page, self.screen) = (time, page, screen)
    }
}
