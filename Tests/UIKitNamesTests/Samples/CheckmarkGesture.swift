import UIKitNames

/// Recognizes a check mark: down to the right, then up to the right.
class CheckmarkGestureRecognizer: UIGestureRecognizer {
    enum Stroke {
        case notStarted
        case down
        case up
    }

    private var stroke = Stroke.notStarted
    private var lastPoint = CGPoint.zero
    private weak var trackedTouch: UITouch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesBegan(touches, with: event)
        if touches.count != 1 || trackedTouch != nil {
            touches.forEach { ignore($0, for: event) }
            return
        }
        trackedTouch = touches.first
        lastPoint = location(in: view)
        stroke = .down
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesMoved(touches, with: event)
        guard let touch = trackedTouch, touches.contains(touch), state == .possible else { return }
        let point = touch.location(in: view)
        if point.x < lastPoint.x {
            state = .failed
        } else if stroke == .down, point.y < lastPoint.y {
            stroke = .up
        } else if stroke == .up, point.y > lastPoint.y {
            state = .failed
        }
        lastPoint = point
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesEnded(touches, with: event)
        state = stroke == .up ? .recognized : .failed
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesCancelled(touches, with: event)
        state = .cancelled
    }

    override func reset() {
        super.reset()
        stroke = .notStarted
        trackedTouch = nil
    }
}
