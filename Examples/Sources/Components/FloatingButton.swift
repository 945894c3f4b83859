import UIKitNames

/// A button that floats above everything: a tap presses it, a drag throws it into another corner.
///
/// The pan cancels the button's own touch when it begins, so a drag presses nothing.
final class FloatingButton: UIButton {
    /// The margin to the superview's edges.
    var margin: CGFloat = 16
    private let pan = UIPanGestureRecognizer()
    /// The corner, in units of the superview's size.
    private var corner = CGPoint(x: 1, y: 1)

    override init(frame: CGRect) {
        super.init(frame: frame)
        layer.cornerRadius = frame.width / 2
        pan.addTarget(self, action: Selector("drag", FloatingButton.drag))
        pan.maximumNumberOfTouches = 1
        addGestureRecognizer(pan)
    }

    override func didMoveToSuperview() {
        super.didMoveToSuperview()
        settle()
    }

    private func drag() {
        guard let superview else { return }
        switch pan.state {
        case .began, .changed:
            let distance = pan.translation(in: superview)
            pan.setTranslation(.zero, in: superview)
            center = CGPoint(x: center.x + distance.x, y: center.y + distance.y)
        case .ended:
            // Where it would glide to.
            let velocity = pan.velocity(in: superview)
            let end = CGPoint(x: center.x + velocity.x * 0.15, y: center.y + velocity.y * 0.15)
            corner = CGPoint(x: end.x < superview.bounds.midX ? 0 : 1, y: end.y < superview.bounds.midY ? 0 : 1)
            settle()
        default: settle()
        }
    }

    private func settle() {
        guard let superview else { return }
        let area = superview.bounds.insetBy(dx: margin + bounds.width / 2, dy: margin + bounds.height / 2)
        center = CGPoint(x: area.minX + area.width * corner.x, y: area.minY + area.height * corner.y)
    }
}
