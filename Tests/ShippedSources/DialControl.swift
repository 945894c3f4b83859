import UIKitNames

extension UIColor {
    convenience init(hex: UInt32) {
        self.init(
            red: CGFloat(hex >> 16 & 0xFF) / 255, green: CGFloat(hex >> 8 & 0xFF) / 255,
            blue: CGFloat(hex & 0xFF) / 255, alpha: 1)
    }

    static let brand = UIColor(hex: 0xFF8000)
}

/// A round control that draws itself and knows how large it wants to be.
class DialControl: UIControl {
    var value: CGFloat = 0 {
        didSet { setNeedsDisplay() }
    }
    var trackColor: UIColor = .lightGray {
        didSet { setNeedsDisplay(bounds) }
    }
    private var outline = UIBezierPath()

    override init(frame: CGRect) {
        super.init(frame: frame)
        setup()
    }

    required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
        setup()
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    private func setup() {
        backgroundColor = .clear
        isOpaque = false
        contentMode = .redraw
        tintColor = .brand
        layer.cornerRadius = 8
        layer.borderColor = UIColor.systemGray4.withAlphaComponent(0.5).cgColor
        isAccessibilityElement = true
        accessibilityLabel = "Volume"
        accessibilityTraits = [.adjustable]
        accessibilityIdentifier = "dial"
    }

    override var intrinsicContentSize: CGSize { CGSize(width: 120, height: UIView.noIntrinsicMetric) }

    override var backgroundColor: UIColor? {
        didSet { invalidateIntrinsicContentSize() }
    }

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 120, height: 120) }

    override func layoutSubviews() {
        super.layoutSubviews()
        outline = UIBezierPath(ovalIn: bounds)
        outline.append(UIBezierPath(roundedRect: bounds.insetBy(dx: 40, dy: 40), cornerRadius: 4))
        outline.usesEvenOddFillRule = true
    }

    override func draw(_ rect: CGRect) {
        super.draw(rect)
        trackColor.setFill()
        outline.fill()
        let needle = UIBezierPath()
        needle.move(to: CGPoint(x: bounds.midX, y: bounds.midY))
        needle.addLine(to: CGPoint(x: bounds.maxX, y: bounds.midY))
        needle.lineWidth = 2
        tintColor.setStroke()
        needle.stroke()
    }

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool { outline.contains(point) }

    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        value = touch.location(in: self).x / bounds.width
        sendActions(for: .valueChanged)
        return true
    }
}
