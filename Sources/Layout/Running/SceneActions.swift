import TouchKit

/// The callbacks of a scene's views, controls and recognizers.
///
/// A reference to this object makes the closures of 50,000 views smaller.
package final class SceneActions {
    let perform: Scene.Perform
    /// See `Scene.observer`.
    unowned var observer: (any SceneObserver)?

    init(_ perform: @escaping Scene.Perform) { self.perform = perform }
}

/// Learns what happens in a scene, whether or not handlers run for it.
package protocol SceneObserver: AnyObject {
    /// A recognizer enters a state that has a trigger; the layout's steps follow.
    func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: HandlerBinding.Trigger)

    /// A control is held, pressed, released or switched; the layout's steps follow.
    func controlChanged(_ control: Control, _ change: ControlChange, _ event: Event?)

    /// A control drops a press because of its `cooldown`.
    func pressDropped()

    /// A screen shows another page; the `disappeared` and `appeared` handlers have run.
    func pageShown(_ page: String)
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
