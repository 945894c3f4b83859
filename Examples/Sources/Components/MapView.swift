import UIKitNames

/// A map: a finger moves it and lets it glide, a double tap zooms in, two fingers tap to zoom out, and a finger that
/// taps and then moves up or down zooms continuously.
///
/// The pan waits until the one-finger zoom has failed, which it does at once for a finger that did not tap before.
final class MapView: UIView, UIGestureRecognizerDelegate {
    /// The map's point in the middle of the view.
    private(set) var location = CGPoint.zero
    private(set) var zoomScale: CGFloat = 1
    private let pan = UIPanGestureRecognizer()
    private let zoomIn = UITapGestureRecognizer()
    private let zoomOut = UITapGestureRecognizer()
    private let oneFingerZoom = OneFingerZoomGestureRecognizer()
    private var glide: UIApplication.ScheduledAction?

    override init(frame: CGRect) {
        super.init(frame: frame)
        zoomIn.numberOfTapsRequired = 2
        zoomOut.numberOfTouchesRequired = 2
        pan.require(toFail: oneFingerZoom)
        pan.delegate = self
        pan.addTarget(self, action: Selector("drag", MapView.drag))
        zoomIn.addTarget(self, action: Selector("zoomInAtTap", MapView.zoomInAtTap))
        zoomOut.addTarget(self, action: Selector("zoomOutAtTap", MapView.zoomOutAtTap))
        oneFingerZoom.addTarget(self, action: Selector("zoomWithOneFinger", MapView.zoomWithOneFinger))
        for recognizer in [pan, zoomIn, zoomOut, oneFingerZoom] { addGestureRecognizer(recognizer) }
    }

    /// The map's point under a point of the view.
    func mapPoint(at point: CGPoint) -> CGPoint {
        CGPoint(
            x: location.x + (point.x - bounds.midX) / zoomScale, y: location.y + (point.y - bounds.midY) / zoomScale)
    }

    /// A finger that lands stops the map.
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        glide?.cancel()
        return true
    }

    private func drag() {
        move(by: pan.translation(in: self))
        pan.setTranslation(.zero, in: self)
        if pan.state == .ended { glide(pan.velocity(in: self)) }
    }

    private func move(by distance: CGPoint) {
        location = CGPoint(x: location.x - distance.x / zoomScale, y: location.y - distance.y / zoomScale)
    }

    private func glide(_ velocity: CGPoint) {
        guard hypot(velocity.x, velocity.y) >= 10, let application = window?.application else { return }
        glide = application.schedule(at: application.currentTime + 1 / 60) { [weak self] in
            self?.move(by: CGPoint(x: velocity.x / 60, y: velocity.y / 60))
            self?.glide(CGPoint(x: velocity.x * 0.95, y: velocity.y * 0.95))
        }
    }

    private func zoomInAtTap() { zoom(by: 2, around: zoomIn.location(in: self)) }

    private func zoomOutAtTap() { zoom(by: 0.5, around: zoomOut.location(in: self)) }

    private func zoomWithOneFinger() {
        zoom(by: oneFingerZoom.scale, around: CGPoint(x: bounds.midX, y: bounds.midY))
        oneFingerZoom.scale = 1
    }

    private func zoom(by factor: CGFloat, around point: CGPoint) {
        let before = mapPoint(at: point)
        zoomScale *= factor
        let after = mapPoint(at: point)
        location = CGPoint(x: location.x + before.x - after.x, y: location.y + before.y - after.y)
    }
}
