import UIKitNames

/// A view that receives no touches itself, only those of its subviews.
class PassthroughView: UIView {
    /// The subview that receives the touches in its area, although others cover it.
    weak var favorite: UIView?

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        if let favorite {
            let point = favorite.convert(point, from: self)
            if favorite.point(inside: point, with: event) {
                return favorite
            }
        }
        let view = super.hitTest(point, with: event)
        return view == self ? nil : view
    }
}
