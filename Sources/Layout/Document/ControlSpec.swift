/// The kind of control.
package nonisolated enum ControlSpec: Sendable, Equatable {
    /// Triggers `pressed` when a touch ends inside.
    case button
    /// A button that also changes `isSelected` and triggers `switched-on` or `switched-off`.
    case toggle(isOn: Bool)
    /// A button that triggers `pressed` when a touch begins, and again while it is held. It is indirect to keep views
    /// small.
    indirect case repeating(RepeatSpec)
}
