import UIKitNames

/// A vertical scroll view, as far as these components need one: TouchKit has none.
///
/// Like `UIScrollView`, it moves the origin of its bounds, stretches beyond its ends, and glides on after a flick until
/// a finger stops it.
class ScrollView: UIView, UIGestureRecognizerDelegate {
    let panGestureRecognizer = UIPanGestureRecognizer()
    var contentSize = CGSize.zero
    var contentOffset: CGPoint {
        get { bounds.origin }
        set { bounds.origin = newValue }
    }
    var isDecelerating: Bool { nextStep != nil }
    private var nextStep: UIApplication.ScheduledAction?

    override init(frame: CGRect) {
        super.init(frame: frame)
        clipsToBounds = true
        panGestureRecognizer.addTarget(self, action: Selector("scroll", ScrollView.scroll))
        panGestureRecognizer.delegate = self
        // Views get the end of a touch at once, although another finger may still scroll.
        panGestureRecognizer.delaysTouchesEnded = false
        addGestureRecognizer(panGestureRecognizer)
    }

    /// A finger that lands stops the content, whatever it does next.
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        if isDecelerating { stop() }
        return true
    }

    /// There is nothing to scroll sideways.
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        guard gestureRecognizer === panGestureRecognizer else {
            return super.gestureRecognizerShouldBegin(gestureRecognizer)
        }
        let distance = panGestureRecognizer.translation(in: self)
        return abs(distance.y) >= abs(distance.x)
    }

    /// Stops the content where it is, or at the end that it was pulled beyond.
    func stop() {
        nextStep?.cancel()
        nextStep = nil
        contentOffset.y -= overshoot
    }

    /// How far the content was pulled beyond an end; negative at the top.
    private var overshoot: CGFloat {
        let bottom = max(0, contentSize.height - bounds.height)
        return contentOffset.y - min(max(contentOffset.y, 0), bottom)
    }

    private func scroll() {
        let distance = panGestureRecognizer.translation(in: self).y
        panGestureRecognizer.setTranslation(.zero, in: self)
        switch panGestureRecognizer.state {
        case .began, .changed: contentOffset.y -= overshoot == 0 ? distance : distance / 2
        case .ended: glide(velocity: -panGestureRecognizer.velocity(in: self).y)
        default: stop()
        }
    }

    /// On iOS a `CADisplayLink` does this.
    private func glide(velocity: CGFloat) {
        guard abs(velocity) >= 10, overshoot == 0, let application = window?.application else { return stop() }
        nextStep = application.schedule(at: application.currentTime + 1 / 60) { [weak self] in
            self?.contentOffset.y += velocity / 60
            self?.glide(velocity: velocity * 0.95)
        }
    }
}
