import UIKitNames

/// Cards on top of each other, thrown away to the left or to the right.
///
/// Only the card on top has a pan. The pan's action removes the card from its superview, and so ends the gesture.
final class CardStack: UIView {
    var onSwipe: (_ card: UIView, _ isLiked: Bool) -> Void = { _, _ in }
    private let pan = UIPanGestureRecognizer()

    init(frame: CGRect, cards: [UIView]) {
        super.init(frame: frame)
        pan.maximumNumberOfTouches = 1
        pan.addTarget(self, action: Selector("drag", CardStack.drag))
        for card in cards.reversed() {
            card.frame = bounds
            addSubview(card)
        }
        cards.first?.addGestureRecognizer(pan)
    }

    private func drag() {
        guard let card = pan.view else { return }
        let distance = pan.translation(in: self)
        switch pan.state {
        case .began, .changed:
            card.center = CGPoint(x: bounds.midX + distance.x, y: bounds.midY + distance.y)
            card.transform = CGAffineTransform(rotationAngle: distance.x / bounds.width * 0.4)
        case .ended where isThrow(distance.x, velocity: pan.velocity(in: self).x):
            card.removeFromSuperview()
            subviews.last?.addGestureRecognizer(pan)
            onSwipe(card, distance.x > 0)
        default:
            card.transform = .identity
            card.frame = bounds
        }
    }

    /// Far enough, or fast enough in the direction of the movement.
    private func isThrow(_ distance: CGFloat, velocity: CGFloat) -> Bool {
        abs(distance) > bounds.width / 3 || abs(velocity) > 500 && velocity * distance > 0
    }
}
