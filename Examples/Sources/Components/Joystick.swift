import UIKitNames

/// A stick for one thumb. Two of them work at the same time, each with its own touch, wherever the thumbs go.
///
/// It refuses the pans of superviews while it is touched, so a page around it does not scroll.
final class Joystick: UIView {
    /// From -1 to 1 on both axes, within the unit circle.
    private(set) var direction = CGVector.zero {
        didSet { if direction != oldValue { onChange(direction) } }
    }
    var onChange: (CGVector) -> Void = { _ in }
    var deadZone: CGFloat = 0.1
    private var thumb: UITouch?

    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        !(gestureRecognizer is UIPanGestureRecognizer)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        thumb = touches.first
        follow()
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { follow() }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { spring() }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { spring() }

    private func follow() {
        guard let point = thumb?.location(in: self) else { return }
        let x = (point.x - bounds.midX) / (bounds.width / 2)
        let y = (point.y - bounds.midY) / (bounds.height / 2)
        let length = hypot(x, y)
        let scale = length < deadZone ? 0 : 1 / max(length, 1)
        direction = CGVector(dx: x * scale, dy: y * scale)
    }

    private func spring() {
        thumb = nil
        direction = .zero
    }
}
