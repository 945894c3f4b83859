import UIKitNames

/// Pages side by side, of which a finger turns one at a time.
///
/// Its pan begins only sideways, and waits for the pan that goes back from the edge of the screen: the requirement is
/// dynamic, because the carousel does not know that recognizer.
final class Carousel: UIView, UIGestureRecognizerDelegate {
    let pages: [UIView]
    private(set) var currentPage = 0
    private let strip = UIView(frame: .zero)
    private let pan = UIPanGestureRecognizer()

    init(frame: CGRect, pages: [UIView]) {
        self.pages = pages
        super.init(frame: frame)
        clipsToBounds = true
        addSubview(strip)
        for page in pages { strip.addSubview(page) }
        pan.addTarget(self, action: Selector("turn", Carousel.turn))
        pan.delegate = self
        pan.maximumNumberOfTouches = 1
        addGestureRecognizer(pan)
    }

    override func layoutSubviews() {
        let width = bounds.width
        strip.frame = CGRect(
            x: -CGFloat(currentPage) * width, y: 0, width: width * CGFloat(pages.count), height: bounds.height)
        for (index, page) in pages.enumerated() { page.frame = bounds.offsetBy(dx: CGFloat(index) * width, dy: 0) }
    }

    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        guard gestureRecognizer === pan else { return super.gestureRecognizerShouldBegin(gestureRecognizer) }
        let translation = pan.translation(in: self)
        return abs(translation.x) > abs(translation.y)
    }

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRequireFailureOf otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { otherGestureRecognizer is UIScreenEdgePanGestureRecognizer }

    private func turn() {
        let distance = pan.translation(in: self).x
        switch pan.state {
        case .began, .changed:
            let isBeyondEnd = distance > 0 && currentPage == 0 || distance < 0 && currentPage == pages.count - 1
            strip.frame.origin.x = -CGFloat(currentPage) * bounds.width + (isBeyondEnd ? distance / 3 : distance)
        case .ended:
            let velocity = pan.velocity(in: self).x
            // A flick turns the page, and so does half a page.
            let isEnough = abs(velocity) > 300 ? velocity * distance > 0 : abs(distance) > bounds.width / 2
            if isEnough { currentPage = min(max(currentPage + (distance < 0 ? 1 : -1), 0), pages.count - 1) }
            setNeedsLayout()
        default: setNeedsLayout()
        }
    }
}
