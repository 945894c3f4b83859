import Foundation
import TouchKit

/// The container of a slot's views; it takes no touches itself, except while the views are awaited.
final class SlotContent: View {
    override init(frame: CGRect) {
        super.init(frame: frame)
        isLaidOut = false
        // A page's own order.
        isReadInOrder = true
    }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        let hit = super.hitTest(point, with: event)
        // Private only while its views are awaited.
        return hit === self && !isPrivate ? nil : hit
    }

    // Like other views of a layout, a published view is touched only inside the slot.
    override func point(inside point: CGPoint, with event: Event?) -> Bool { bounds.contains(point) }
}
