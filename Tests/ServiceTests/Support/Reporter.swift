import ControlProtocol
import Layout
import TouchKit

/// Calls closures for gestures and pages of a scene.
final class Reporter: SceneObserver {
    private let onGesture: (GestureRecognizer, GestureRecord.Trigger) -> Void
    private let onPage: (String) -> Void

    init(
        _ onGesture: @escaping (GestureRecognizer, GestureRecord.Trigger) -> Void,
        onPage: @escaping (String) -> Void = { _ in }
    ) { (self.onGesture, self.onPage) = (onGesture, onPage) }

    func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: GestureRecord.Trigger) {
        onGesture(recognizer, trigger)
    }

    func controlChanged(_ control: Control, _ change: ControlRecord.Change, _ event: Event?) {}
    func pressDropped() {}
    func pageShown(_ page: String) { onPage(page) }
    func told(_ record: AccessibilityRecord, of view: View?) {}
}
