import UIKitNames

/// Watches every touch of a window without ever recognizing, to know when somebody was there last.
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
