import UIKitNames

/// A photo that two fingers zoom and move at the same time, and that a double tap zooms to a point.
///
/// A single tap hides the bars around it, once the double tap has failed.
final class PhotoViewer: UIView, UIGestureRecognizerDelegate {
    let photo = UIView(frame: .zero)
    private(set) var areBarsHidden = false
    private let pan = UIPanGestureRecognizer()
    private let pinch = UIPinchGestureRecognizer()
    private let doubleTap = UITapGestureRecognizer()
    private let singleTap = UITapGestureRecognizer()

    override init(frame: CGRect) {
        super.init(frame: frame)
        photo.frame = bounds
        addSubview(photo)
        doubleTap.numberOfTapsRequired = 2
        singleTap.require(toFail: doubleTap)
        pan.delegate = self
        pinch.delegate = self
        pan.addTarget(self, action: Selector("move", PhotoViewer.move))
        pinch.addTarget(self, action: Selector("zoom", PhotoViewer.zoom))
        doubleTap.addTarget(self, action: Selector("toggleZoom", PhotoViewer.toggleZoom))
        singleTap.addTarget(self, action: Selector("toggleBars", PhotoViewer.toggleBars))
        for recognizer in [pan, pinch, doubleTap, singleTap] { addGestureRecognizer(recognizer) }
    }

    var zoomScale: CGFloat { photo.transform.a }

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { gestureRecognizer.view === self && otherGestureRecognizer.view === self }

    private func move() {
        let distance = pan.translation(in: self)
        pan.setTranslation(.zero, in: self)
        photo.center = CGPoint(x: photo.center.x + distance.x, y: photo.center.y + distance.y)
        if pan.numberOfTouches == 0 { clamp() }
    }

    private func zoom() {
        scale(by: pinch.scale, around: pinch.location(in: photo))
        pinch.scale = 1
        if pinch.state == .ended || pinch.state == .cancelled { clamp() }
    }

    private func toggleBars() { areBarsHidden.toggle() }

    private func toggleZoom() {
        scale(by: zoomScale > 1 ? 1 / zoomScale : 2.5, around: doubleTap.location(in: photo))
        clamp()
    }

    private func scale(by factor: CGFloat, around point: CGPoint) {
        let (x, y) = (point.x - photo.bounds.midX, point.y - photo.bounds.midY)
        photo.transform = photo.transform.translatedBy(x: x, y: y).scaledBy(x: factor, y: factor)
            .translatedBy(x: -x, y: -y)
    }

    /// Leaves no gap at the edges, and keeps the scale between 1 and 4.
    private func clamp() {
        let frame = photo.frame
        let scale = min(max(zoomScale, 1), 4)
        photo.transform = CGAffineTransform(scaleX: scale, y: scale)
        let (x, y) = ((scale - 1) * bounds.width / 2, (scale - 1) * bounds.height / 2)
        photo.center = CGPoint(
            x: min(max(frame.midX, bounds.midX - x), bounds.midX + x),
            y: min(max(frame.midY, bounds.midY - y), bounds.midY + y))
    }
}
