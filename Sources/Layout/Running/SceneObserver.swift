import ControlProtocol
import TouchKit

/// Learns what happens in a scene, whether or not handlers run for it.
package protocol SceneObserver: AnyObject {
    /// A recognizer enters a state that has a trigger; the layout's steps follow.
    func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: GestureRecord.Trigger)

    /// A control is held, pressed, released or switched; the layout's steps follow.
    func controlChanged(_ control: Control, _ change: ControlRecord.Change, _ event: Event?)

    /// A control drops a press because of its `cooldown`.
    func pressDropped()

    /// The talking mode has something to say, of a view if there is one.
    func told(_ record: AccessibilityRecord, of view: View?)

    /// A screen shows another page; the `disappeared` and `appeared` handlers have run.
    func pageShown(_ page: String)
}
