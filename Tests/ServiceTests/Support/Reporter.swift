import Layout
import TouchKit

/// Calls closures for gestures and pages of a scene.
final class Reporter: SceneObserver {
    private let onGesture: (GestureRecognizer, HandlerBinding.Trigger) -> Void
    private let onPage: (String) -> Void

    init(
        _ onGesture: @escaping (GestureRecognizer, HandlerBinding.Trigger) -> Void,
        onPage: @escaping (String) -> Void = { _ in }
    ) { (self.onGesture, self.onPage) = (onGesture, onPage) }

    func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: HandlerBinding.Trigger) {
        onGesture(recognizer, trigger)
    }

    func controlChanged(_ control: Control, _ change: ControlChange, _ event: Event?) {}
    func pressDropped() {}
    func pageShown(_ page: String) { onPage(page) }
}
