import UIKitNames

/// A slider with two thumbs for the ends of a range; the nearer one follows the finger.
///
/// A touch far from both is refused. A list around it scrolls only up and down while it is touched.
final class RangeSlider: UIControl {
    private enum Thumb { case lower, upper }

    private(set) var lowerValue: CGFloat = 0
    private(set) var upperValue: CGFloat = 1
    /// The least distance between the two.
    var minimumDistance: CGFloat = 0.1
    private var thumb = Thumb.lower
    private var grip: CGFloat = 0

    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        guard let pan = gestureRecognizer as? UIPanGestureRecognizer else { return true }
        let velocity = pan.velocity(in: self)
        return abs(velocity.y) > abs(velocity.x)
    }

    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        let x = touch.location(in: self).x
        let (lower, upper) = (lowerValue * bounds.width, upperValue * bounds.width)
        thumb = abs(x - lower) < abs(x - upper) ? .lower : .upper
        grip = x - (thumb == .lower ? lower : upper)
        return abs(grip) <= 44
    }

    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        let value = (touch.location(in: self).x - grip) / bounds.width
        switch thumb {
        case .lower: lowerValue = min(max(value, 0), upperValue - minimumDistance)
        case .upper: upperValue = max(min(value, 1), lowerValue + minimumDistance)
        }
        sendActions(for: .valueChanged)
        return true
    }

    override func endTracking(_ touch: UITouch?, with event: UIEvent?) { sendActions(for: .editingDidEnd) }

    override func cancelTracking(with event: UIEvent?) {
        super.cancelTracking(with: event)
        sendActions(for: .editingDidEnd)
    }
}
