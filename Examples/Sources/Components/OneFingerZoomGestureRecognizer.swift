import UIKitNames

/// Recognizes a tap and then a finger that moves up or down: a zoom for one hand.
class OneFingerZoomGestureRecognizer: UIGestureRecognizer {
    /// Doubles with each 100 points downwards.
    var scale: CGFloat = 1
    private var start = CGPoint.zero
    private var lastY: CGFloat = 0
    private weak var finger: UITouch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesBegan(touches, with: event)
        guard finger == nil, touches.count == 1, let touch = touches.first else {
            if state == .possible { return state = .failed }
            return touches.forEach { ignore($0, for: event) }
        }
        guard touch.tapCount == 2 else { return state = .failed }
        finger = touch
        start = touch.location(in: view)
        lastY = start.y
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesMoved(touches, with: event)
        guard let finger, touches.contains(finger) else { return }
        let point = finger.location(in: view)
        if state == .possible {
            if hypot(point.x - start.x, point.y - start.y) >= 10 { state = .began }
        } else {
            state = .changed
        }
        if state == .began || state == .changed {
            scale *= pow(2, (point.y - lastY) / 100)
            lastY = point.y
        }
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesEnded(touches, with: event)
        state = state == .possible ? .failed : .ended
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesCancelled(touches, with: event)
        state = .cancelled
    }

    override func reset() {
        super.reset()
        finger = nil
        scale = 1
    }
}
