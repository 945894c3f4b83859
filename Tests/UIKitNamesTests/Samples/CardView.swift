import UIKitNames

/// A view that is set up in one method for all initializers, and lays out its content with a margin.
class CardView: UIView {
    let content = UIView()
    let closeButton = UIButton(type: .close)
    var contentInsets = UIEdgeInsets(top: 10, left: 20, bottom: 30, right: 40) {
        didSet { setNeedsLayout() }
    }
    private(set) var layoutCount = 0

    override init(frame: CGRect) {
        super.init(frame: frame)
        commonInit()
    }

    required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
        commonInit()
    }

    private func commonInit() {
        clipsToBounds = true
        addSubview(content)
        addSubview(closeButton)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        layoutCount += 1
        content.frame = bounds.inset(by: contentInsets)
        closeButton.frame = CGRect(x: bounds.maxX - 40, y: 0, width: 40, height: 40)
    }
}
