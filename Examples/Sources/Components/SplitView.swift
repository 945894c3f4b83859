import UIKitNames

/// Two panes and a thin divider between them, which is touched up to 22 points beside it, before the panes.
///
/// A mouse over it shows its grip. A double tap puts it back to the middle.
final class SplitView: UIView {
    let left = UIView(frame: .zero)
    let right = UIView(frame: .zero)
    let divider = UIView(frame: .zero)
    private(set) var isGripVisible = false
    /// The left pane's share of the width.
    private(set) var ratio: CGFloat = 0.5 {
        didSet { setNeedsLayout() }
    }
    private var ratioBefore: CGFloat = 0.5
    private let pan = UIPanGestureRecognizer()
    private let doubleTap = UITapGestureRecognizer()
    private let hover = UIHoverGestureRecognizer()

    override init(frame: CGRect) {
        super.init(frame: frame)
        for view in [left, right, divider] { addSubview(view) }
        doubleTap.numberOfTapsRequired = 2
        pan.addTarget(self, action: Selector("drag", SplitView.drag))
        doubleTap.addTarget(self, action: Selector("centerDivider", SplitView.centerDivider))
        hover.addTarget(self, action: Selector("showGrip", SplitView.showGrip))
        for recognizer in [pan, doubleTap, hover] { divider.addGestureRecognizer(recognizer) }
    }

    override func layoutSubviews() {
        let x = bounds.width * ratio
        left.frame = CGRect(x: 0, y: 0, width: x - 2, height: bounds.height)
        right.frame = CGRect(x: x + 2, y: 0, width: bounds.width - x - 2, height: bounds.height)
        divider.frame = CGRect(x: x - 2, y: 0, width: 4, height: bounds.height)
    }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let view = super.hitTest(point, with: event)
        return view != nil && abs(point.x - divider.center.x) <= 22 ? divider : view
    }

    private func centerDivider() { ratio = 0.5 }

    private func showGrip() { isGripVisible = hover.state == .began || hover.state == .changed }

    private func drag() {
        switch pan.state {
        case .began, .changed:
            if pan.state == .began { ratioBefore = ratio }
            ratio = min(max(ratioBefore + pan.translation(in: self).x / bounds.width, 0.2), 0.8)
        case .cancelled: ratio = ratioBefore
        default: break
        }
    }
}
