import UIKitNames

/// A pan that fails as soon as the finger moves in the other direction.
class DirectionLockedPanGestureRecognizer: UIPanGestureRecognizer {
    enum Axis {
        case horizontal
        case vertical
    }

    let axis: Axis

    init(axis: Axis, target: Any?, action: Selector?) {
        self.axis = axis
        super.init(target: target, action: action)
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesMoved(touches, with: event)
        if state == .began {
            let velocity = self.velocity(in: view)
            switch axis {
            case .horizontal where abs(velocity.y) > abs(velocity.x): state = .cancelled
            case .vertical where abs(velocity.x) > abs(velocity.y): state = .cancelled
            default: break
            }
        }
    }
}
