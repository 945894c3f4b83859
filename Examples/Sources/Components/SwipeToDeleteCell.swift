import UIKitNames

/// A row of a list that a finger swipes to the left: the first part shows a button, half of the width deletes at once.
///
/// Its pan begins only sideways, so a list scrolls up and down. The button refuses the tap that closes the row, as every
/// button refuses single taps of its superviews.
final class SwipeToDeleteCell: UIView, UIGestureRecognizerDelegate {
    let content = UIView(frame: .zero)
    let deleteButton = UIButton(type: .custom)
    var onDelete: () -> Void = {}
    private(set) var isOpen = false
    private let pan = UIPanGestureRecognizer()
    private let tap = UITapGestureRecognizer()

    override init(frame: CGRect) {
        super.init(frame: frame)
        addSubview(deleteButton)
        addSubview(content)
        deleteButton.setTitle("Delete", for: .normal)
        deleteButton.backgroundColor = .systemRed
        deleteButton.addAction(UIAction { [unowned self] _ in onDelete() }, for: .touchUpInside)
        pan.addTarget(self, action: Selector("swipe", SwipeToDeleteCell.swipe))
        pan.delegate = self
        addGestureRecognizer(pan)
        tap.addTarget(self, action: Selector("close", SwipeToDeleteCell.close))
        tap.isEnabled = false
        addGestureRecognizer(tap)
    }

    override func layoutSubviews() {
        deleteButton.frame = CGRect(x: bounds.width - 80, y: 0, width: 80, height: bounds.height)
        content.frame = bounds.offsetBy(dx: restingPlace, dy: 0)
    }

    /// Called for the recognizers of superviews, too.
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        guard gestureRecognizer === pan else { return super.gestureRecognizerShouldBegin(gestureRecognizer) }
        let velocity = pan.velocity(in: self)
        return abs(velocity.x) > abs(velocity.y)
    }

    private var restingPlace: CGFloat { isOpen ? -80 : 0 }

    private func close() { setOpen(false) }

    private func setOpen(_ isOpen: Bool) {
        self.isOpen = isOpen
        tap.isEnabled = isOpen
        content.frame.origin.x = restingPlace
    }

    private func swipe() {
        switch pan.state {
        case .began, .changed: content.frame.origin.x = min(0, restingPlace + pan.translation(in: self).x)
        case .ended where content.frame.minX < -bounds.width / 2: onDelete()
        case .ended: setOpen(content.frame.minX + pan.velocity(in: self).x * 0.1 < -40)
        default: setOpen(isOpen)
        }
    }
}
