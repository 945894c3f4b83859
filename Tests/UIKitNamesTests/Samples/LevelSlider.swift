import UIKitNames

/// A control that follows a finger by overriding the tracking methods.
class LevelSlider: UIControl {
    var value: CGFloat = 0 {
        didSet { setNeedsLayout() }
    }
    let thumb = UIView(frame: CGRect(x: 0, y: 0, width: 20, height: 20))

    override init(frame: CGRect) {
        super.init(frame: frame)
        thumb.isUserInteractionEnabled = false
        addSubview(thumb)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        thumb.center = CGPoint(x: bounds.width * value, y: bounds.midY)
    }

    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        sendActions(for: .editingDidBegin)
        return continueTracking(touch, with: event)
    }

    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        value = min(max(touch.location(in: self).x / bounds.width, 0), 1)
        sendActions(for: .valueChanged)
        return true
    }

    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        sendActions(for: .editingDidEnd)
    }
}
