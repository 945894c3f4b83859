import UIKitNames

/// Segments side by side, one of which is selected: by a finger that is lifted in it, or by the arrow keys.
///
/// It becomes first responder when it is touched, and handles only the keys that it knows.
final class SegmentedControl: UIControl {
    let numberOfSegments: Int
    var selectedSegmentIndex = 0
    /// The segment under the finger.
    private(set) var highlightedSegmentIndex: Int?

    init(frame: CGRect, numberOfSegments: Int) {
        self.numberOfSegments = numberOfSegments
        super.init(frame: frame)
    }

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 80 * numberOfSegments, height: 32) }

    override var canBecomeFirstResponder: Bool { true }

    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        becomeFirstResponder()
        highlightedSegmentIndex = segment(under: touch)
        return true
    }

    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        highlightedSegmentIndex = segment(under: touch)
        return true
    }

    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        defer { highlightedSegmentIndex = nil }
        if let touch, let index = segment(under: touch) { select(index) }
    }

    override func cancelTracking(with event: UIEvent?) {
        super.cancelTracking(with: event)
        highlightedSegmentIndex = nil
    }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        for press in presses {
            switch press.type {
            case .leftArrow: select(max(selectedSegmentIndex - 1, 0))
            case .rightArrow: select(min(selectedSegmentIndex + 1, numberOfSegments - 1))
            default: super.pressesBegan([press], with: event)
            }
        }
    }

    private func select(_ index: Int) {
        guard index != selectedSegmentIndex else { return }
        selectedSegmentIndex = index
        sendActions(for: .valueChanged)
    }

    private func segment(under touch: UITouch) -> Int? {
        let point = touch.location(in: self)
        guard bounds.contains(point) else { return nil }
        return Int(point.x / bounds.width * CGFloat(numberOfSegments))
    }
}
