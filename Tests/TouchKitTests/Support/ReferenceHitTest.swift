import Foundation
import TouchKit

/// Hit-testing as plain as the rules A2.1 to A2.6, for views without overrides and transforms: each view gets its
/// absolute rectangle, the tree is flattened, and the last view that contains the point is the result.
func referenceHitTest(_ root: View, _ point: CGPoint) -> View? {
    struct Candidate {
        let view: View
        let rect: CGRect
    }
    var candidates: [Candidate] = []
    func collect(_ view: View, origin: CGPoint) {
        if view.isHidden || !view.isUserInteractionEnabled || view.alpha < 0.01 { return }
        let isDisabled = (view as? Control)?.isEnabled == false
        if isDisabled { return }
        let frame = view.frame
        let rect = CGRect(x: origin.x + frame.minX, y: origin.y + frame.minY, width: frame.width, height: frame.height)
        let inside =
            point.x >= rect.minX && point.x < rect.minX + rect.width && point.y >= rect.minY
            && point.y < rect.minY + rect.height
        if !inside { return }
        candidates.append(Candidate(view: view, rect: rect))
        let shift = CGPoint(x: rect.minX - view.bounds.minX, y: rect.minY - view.bounds.minY)
        for subview in view.subviews { collect(subview, origin: shift) }
    }
    collect(root, origin: .zero)
    return candidates.last?.view
}
