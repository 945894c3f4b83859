/// A change of a control of a layout.
package nonisolated enum ControlChange: String, Sendable {
    /// The first finger is in the control.
    case held
    /// The control was activated.
    case pressed
    /// The last finger has left the control, was lifted or cancelled; once for each `held`.
    case released
    /// A toggle was switched; `Control.isSelected` is its new state.
    case toggled
}
