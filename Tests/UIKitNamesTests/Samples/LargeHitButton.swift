import UIKitNames

/// A button that is touched beyond its bounds.
class LargeHitButton: UIButton {
    var hitInsets = UIEdgeInsets(top: -20, left: -20, bottom: -20, right: -20)

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        bounds.inset(by: hitInsets).contains(point)
    }
}
