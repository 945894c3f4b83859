import UIKitNames

/// A view that follows the finger.
class DraggableView: UIView {
    init(size: CGFloat) {
        super.init(frame: CGRect(x: 0, y: 0, width: size, height: size))
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        superview?.bringSubviewToFront(self)
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = touches.first else { return }
        let (location, previous) = (touch.location(in: superview), touch.previousLocation(in: superview))
        center = CGPoint(x: center.x + location.x - previous.x, y: center.y + location.y - previous.y)
    }
}
