import UIKitNames

/// Asks for new content when a list is pulled down far enough and let go.
///
/// It is a second target of the list's pan. A pull that is cancelled asks for nothing.
final class RefreshControl: UIControl {
    private(set) var isRefreshing = false
    private var isArmed = false
    private weak var scrollView: ScrollView?

    /// The list's own action runs first and moves it back, so the control remembers how far it was pulled.
    func attach(to scrollView: ScrollView) {
        self.scrollView = scrollView
        scrollView.panGestureRecognizer.addTarget(self, action: Selector("pull", RefreshControl.pull))
        scrollView.addSubview(self)
    }

    func endRefreshing() { isRefreshing = false }

    private func pull(_ pan: UIPanGestureRecognizer) {
        switch pan.state {
        case .began, .changed: isArmed = (scrollView?.contentOffset.y ?? 0) <= -60
        case .ended where isArmed && !isRefreshing:
            isArmed = false
            isRefreshing = true
            sendActions(for: .valueChanged)
        default: isArmed = false
        }
    }
}
