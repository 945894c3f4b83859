import UIKitNames

/// A view that prints what the program does with it, and tells another story in its getters.
class ObservedView: UIView {
    override var frame: CGRect { didSet { output("frame") } }
    override var bounds: CGRect { didSet { output("bounds") } }
    override var center: CGPoint { didSet { output("center") } }
    override var transform: CGAffineTransform { didSet { output("transform") } }
    override var tag: Int { didSet { output("tag") } }
    override var isHidden: Bool {
        get { true }
        set {
            output("isHidden")
            super.isHidden = newValue
        }
    }
    override var alpha: CGFloat {
        get { 0 }
        set {
            output("alpha")
            super.alpha = newValue
        }
    }
    override var isUserInteractionEnabled: Bool {
        get { false }
        set {
            output("isUserInteractionEnabled")
            super.isUserInteractionEnabled = newValue
        }
    }

    override func addSubview(_ view: UIView) {
        output("add")
        super.addSubview(view)
    }

    override func insertSubview(_ view: UIView, at index: Int) {
        output("insert")
        super.insertSubview(view, at: index)
    }

    override func bringSubviewToFront(_ view: UIView) {
        output("front")
        super.bringSubviewToFront(view)
    }

    override func removeFromSuperview() {
        output("remove")
        super.removeFromSuperview()
    }

    override func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        output("recognizer")
        super.addGestureRecognizer(gestureRecognizer)
    }

    override func setNeedsLayout() {
        output("needs")
        super.setNeedsLayout()
    }

    override func layoutIfNeeded() {
        output("layout")
        super.layoutIfNeeded()
    }
}

/// A control that shows its states.
class ObservedControl: UIControl {
    override var isEnabled: Bool { didSet { output("enabled \(isEnabled)") } }
    override var isSelected: Bool { didSet { output("selected") } }
    override var isHighlighted: Bool { didSet { output("highlighted \(isHighlighted)") } }
    override var isTracking: Bool { false }
    override var isTouchInside: Bool { false }

    override func addTarget(_ target: Any?, action: Selector, for controlEvents: UIControl.Event) {
        output("target")
        super.addTarget(target, action: action, for: controlEvents)
    }

    override func sendActions(for controlEvents: UIControl.Event) {
        output("send")
        super.sendActions(for: controlEvents)
    }
}

/// A pan that prints its states and its delegate's arrival.
class ObservedPanGestureRecognizer: UIPanGestureRecognizer {
    override var state: UIGestureRecognizer.State { didSet { output("\(state)") } }
    override var view: UIView? { nil }
    override weak var delegate: (any UIGestureRecognizerDelegate)? { didSet { output("delegate") } }
    override var cancelsTouchesInView: Bool { didSet { output("cancels") } }
}
