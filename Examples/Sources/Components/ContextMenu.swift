import UIKitNames

/// A menu that a long press opens; the same finger slides to an item and is lifted there.
///
/// The press cancels the touch in the view below. If the finger did not move, the menu stays, and is tapped.
final class ContextMenu: UIView {
    private let buttons: [UIButton]
    private let onChoice: (Int) -> Void
    private let press = UILongPressGestureRecognizer()
    private var start = CGPoint.zero
    private var hasMoved = false

    init(items: Int, for view: UIView, onChoice: @escaping (Int) -> Void) {
        buttons = (0..<items).map { CGRect(x: 0, y: 44 * $0, width: 200, height: 44) }.map(UIButton.init(frame:))
        self.onChoice = onChoice
        super.init(frame: .zero)
        press.addTarget(self, action: Selector("pressed", ContextMenu.pressed))
        view.addGestureRecognizer(press)
        for button in buttons {
            button.addTarget(self, action: Selector("choose", ContextMenu.choose), for: .touchUpInside)
            addSubview(button)
        }
    }

    var highlightedItem: Int? { buttons.firstIndex { $0.isHighlighted } }

    /// The menu covers the window, so a touch beside its items comes here.
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { close(choosing: nil) }

    private func pressed() {
        let point = press.location(in: nil)
        switch press.state {
        case .began: open(at: point)
        case .changed:
            hasMoved = hasMoved || hypot(point.x - start.x, point.y - start.y) > 10
            for button in buttons { button.isHighlighted = button === self.button(at: point) }
        case .ended: if hasMoved { close(choosing: button(at: point)) }
        default: close(choosing: nil)
        }
    }

    private func choose(_ button: UIButton) { close(choosing: button) }

    private func button(at point: CGPoint) -> UIButton? { hitTest(convert(point, from: nil), with: nil) as? UIButton }

    private func open(at point: CGPoint) {
        guard let window = press.view?.window else { return }
        (start, hasMoved) = (point, false)
        frame = window.bounds
        let corner = CGPoint(
            x: min(point.x, bounds.width - 200), y: min(point.y + 20, bounds.height - 44 * CGFloat(buttons.count)))
        for (index, button) in buttons.enumerated() {
            button.frame.origin = CGPoint(x: corner.x, y: corner.y + 44 * CGFloat(index))
        }
        window.addSubview(self)
    }

    private func close(choosing button: UIButton?) {
        for button in buttons { button.isHighlighted = false }
        removeFromSuperview()
        if let index = buttons.firstIndex(where: { $0 === button }) { onChoice(index) }
    }
}
