import UIKitNames

/// Observes every touch of a window without recognizing, to know the time of the last activity.
final class ActivityWatcher: UIGestureRecognizer {
    private(set) var touchCount = 0

    override init(target: Any?, action: Selector?) {
        super.init(target: target, action: action)
        cancelsTouchesInView = false
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        touchCount += touches.count
    }
}
