import UIKitNames

/// A round knob that a finger turns.
///
/// Only the disk is touched, and its hub is too small to turn it. A turn that is cancelled is undone.
final class RotaryKnob: UIControl {
    var minimumValue: CGFloat = 0
    var maximumValue: CGFloat = 1
    /// How many turns there are between the two.
    var turns: CGFloat = 1
    var value: CGFloat = 0 {
        didSet {
            value = min(max(value, minimumValue), maximumValue)
            accessibilityValue = "\(Int((value * 100).rounded())) %"
            setNeedsDisplay()
        }
    }
    private var lastAngle: CGFloat = 0
    private var valueBefore: CGFloat = 0

    override init(frame: CGRect) {
        super.init(frame: frame)
        isAccessibilityElement = true
        accessibilityTraits = .adjustable
    }

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        UIBezierPath(ovalIn: bounds).contains(point)
    }

    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        let point = touch.location(in: self)
        guard distance(to: point) > bounds.width / 8 else { return false }
        lastAngle = angle(of: point)
        valueBefore = value
        return true
    }

    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        let angle = angle(of: touch.location(in: self))
        // The shorter way around, also where the angle jumps from pi to -pi.
        let turned = (angle - lastAngle).remainder(dividingBy: 2 * .pi)
        lastAngle = angle
        value += turned / (2 * .pi * turns) * (maximumValue - minimumValue)
        sendActions(for: .valueChanged)
        return true
    }

    override func cancelTracking(with event: UIEvent?) {
        super.cancelTracking(with: event)
        guard value != valueBefore else { return }
        value = valueBefore
        sendActions(for: .valueChanged)
    }

    private func distance(to point: CGPoint) -> CGFloat { hypot(point.x - bounds.midX, point.y - bounds.midY) }

    private func angle(of point: CGPoint) -> CGFloat { atan2(point.y - bounds.midY, point.x - bounds.midX) }
}
