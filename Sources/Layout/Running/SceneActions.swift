import TouchKit

/// The callbacks of a scene's views, controls and recognizers.
///
/// A reference to this object makes the closures of 50,000 views smaller.
package final class SceneActions {
    let perform: Scene.Perform
    /// Called when a recognizer enters a state that has a trigger, before the layout's steps.
    package var didRecognize: ((GestureRecognizer, HandlerBinding.Trigger) -> Void)?
    /// Called when a control drops a press because of its `cooldown`.
    package var didDropPress: (() -> Void)?
    /// Called when a control is held, pressed, released or switched, before the layout's steps.
    package var didChangeControl: ((Control, ControlChange, Event?) -> Void)?

    init(_ perform: @escaping Scene.Perform) { self.perform = perform }
}

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
