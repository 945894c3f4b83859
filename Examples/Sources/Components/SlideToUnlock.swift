import UIKitNames

/// A thumb that slides along a track, and unlocks if it is lifted at the end.
///
/// It handles the touches itself, those of the thumb; touches beside the thumb go up the responder chain.
final class SlideToUnlock: UIView {
    let thumb = UIView(frame: .zero)
    var onUnlock: () -> Void = {}
    private var grip: CGFloat?

    override init(frame: CGRect) {
        super.init(frame: frame)
        thumb.isUserInteractionEnabled = false
        thumb.frame = CGRect(x: 0, y: 0, width: frame.height, height: frame.height)
        addSubview(thumb)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let point = touches.first?.location(in: self), thumb.frame.contains(point) else {
            return super.touchesBegan(touches, with: event)
        }
        grip = point.x - thumb.frame.minX
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let grip, let touch = touches.first else { return super.touchesMoved(touches, with: event) }
        thumb.frame.origin.x = min(max(touch.location(in: self).x - grip, 0), end)
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard grip != nil else { return super.touchesEnded(touches, with: event) }
        let isAtEnd = thumb.frame.minX >= end - 5
        slideBack()
        if isAtEnd { onUnlock() }
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard grip != nil else { return super.touchesCancelled(touches, with: event) }
        slideBack()
    }

    private var end: CGFloat { bounds.width - thumb.bounds.width }

    private func slideBack() {
        grip = nil
        thumb.frame.origin.x = 0
    }
}
