/// An event of the talking mode, for a program that speaks.
package struct AccessibilityRecord: EventRecord {
    package static let event: StaticString = "accessibility"
    /// The label of what is in a private view.
    package static let privateLabel = "key"

    package enum Change: String, CaseIterable, JSONValue, Sendable {
        /// The mode begins or ends.
        case started, ended
        /// A finger rests, which will start the mode.
        case holding
        /// An element is the focus.
        case focus
        /// No element is under the finger.
        case nothing
        /// The focus is activated, refuses because it is dimmed, or was adjusted.
        case activated, refused, adjusted
        /// The program that draws the slider should adjust it.
        case increment, decrement
        /// There is no next or previous element.
        case end
        /// A finger has landed: what is being said should stop.
        case quiet
        /// A handler says a text.
        case said
        /// Nobody uses the mode, which will end: any finger or key gives the time again.
        case ending
    }

    package enum Role: String, CaseIterable, JSONValue, Sendable {
        case button, toggle, slider, heading, link, image, text
    }

    package enum State: String, CaseIterable, JSONValue, Sendable {
        case dimmed, on, off
    }

    package let time: Double
    package let change: Change
    package var view: String?, label: String?, role: Role?, state: State?, value: String?, language: String?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("time", .seconds, "as for a touch") { $0.time }
        visitor.member(
            "change",
            "`started`, `ended`, `holding`, `focus`, `nothing`, `activated`, `refused`, `adjusted`, `increment`, `decrement`, `end`, `quiet`, `said` or `ending`"
        ) { $0.change }
        visitor.member("view", "the element's id; in a private view that of the outermost private view") { $0.view }
        visitor.member("label", "the element's label, or what is said; `key` in a private view") { $0.label }
        visitor.member("role", "`button`, `toggle`, `slider`, `heading`, `link`, `image` or `text`") { $0.role }
        visitor.member("state", "`dimmed`, `on` or `off`, if the element has one of these states") { $0.state }
        visitor.member("value", "the element's value as text, if it has one") { $0.value }
        visitor.member("language", "the language of the label, if the layout has languages") { $0.language }
    }

    package init(time: Double, change: Change) { (self.time, self.change) = (time, change) }
}
