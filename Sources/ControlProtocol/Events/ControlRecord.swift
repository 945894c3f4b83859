import Glibc

/// A control that is held, pressed, released or switched.
package struct ControlRecord: EventRecord {
    package static let event: StaticString = "control"

    /// What happened to a control.
    package enum Change: String, CaseIterable, JSONValue, Sendable {
        /// The first finger is in the control.
        case held
        /// The control was activated.
        case pressed
        /// The last finger has left the control, was lifted or cancelled; once for each `held`.
        case released
        /// A toggle was switched; `on` is its new state.
        case toggled
    }

    package let time: Double, control: Change, view: String?, on: Bool?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("time", .seconds, "as for a touch") { $0.time }
        visitor.member("control", "`held`, `pressed`, `released` or `toggled`") { $0.control }
        visitor.member("view", "the control's id, or null; in a private view that of the outermost private view") {
            OrNull($0.view)
        }
        visitor.member("on", "with `toggled`, the new state; absent in a private view") { $0.on }
    }

    package func write(to writer: inout JSONWriter) { writer.write(event: self) }

    package init(time: Double, control: Change, view: String?, on: Bool?) {
        (self.time, self.control, self.view, self.on) = (time, control, view, on)
    }
}
