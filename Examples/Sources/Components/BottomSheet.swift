import UIKitNames

/// A sheet that a finger pulls up from the bottom of its superview; at the top, the same movement scrolls its list.
///
/// Its pan and the list's recognize simultaneously. The list is deeper, so its action runs first.
final class BottomSheet: UIView, UIGestureRecognizerDelegate {
    let list = ScrollView(frame: .zero)
    /// Where the sheet's upper edge may rest.
    let expandedTop: CGFloat
    let collapsedTop: CGFloat
    private let pan = UIPanGestureRecognizer()

    init(width: CGFloat, expandedTop: CGFloat, collapsedTop: CGFloat, bottom: CGFloat) {
        self.expandedTop = expandedTop
        self.collapsedTop = collapsedTop
        super.init(frame: CGRect(x: 0, y: collapsedTop, width: width, height: bottom - expandedTop))
        addSubview(list)
        pan.addTarget(self, action: Selector("drag", BottomSheet.drag))
        pan.delegate = self
        addGestureRecognizer(pan)
    }

    override func layoutSubviews() {
        list.frame = bounds.inset(by: UIEdgeInsets(top: 44, left: 0, bottom: 0, right: 0))
    }

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { otherGestureRecognizer === list.panGestureRecognizer }

    private func drag() {
        let distance = pan.translation(in: superview).y
        pan.setTranslation(.zero, in: superview)
        switch pan.state {
        case .began, .changed: move(by: distance)
        case .ended: settle(velocity: pan.velocity(in: superview).y)
        default: settle(velocity: 0)
        }
    }

    private func move(by distance: CGFloat) {
        let listState = list.panGestureRecognizer.state
        guard listState == .began || listState == .changed else {
            return frame.origin.y = max(expandedTop, frame.minY + distance)
        }
        // The list keeps what it can scroll; what it was pulled beyond its top moves the sheet, and what is left of a
        // movement at the top of the sheet scrolls the list.
        if frame.minY <= expandedTop, distance < 0 || list.contentOffset.y >= 0 { return }
        let top = frame.minY + (frame.minY <= expandedTop ? -list.contentOffset.y : distance)
        frame.origin.y = max(expandedTop, top)
        list.contentOffset.y = frame.minY - top
    }

    private func settle(velocity: CGFloat) {
        guard frame.minY > expandedTop else { return }
        list.stop()
        let middle = (expandedTop + collapsedTop) / 2
        frame.origin.y = frame.minY + velocity * 0.2 < middle ? expandedTop : collapsedTop
    }
}
