import ControlProtocol
import Foundation
import TouchKit

/// An entry of `views:`; its frame is computed from the units and edges in the file.
package nonisolated struct ViewSpec: Sendable, Equatable {
    /// The location of the entry.
    package var location = SourceLocation()
    /// The view's name in logs and handlers; unique in the layout.
    package var id: String?
    /// `label:`, what the view is, for somebody who does not see it.
    package var label: LabelSpec?
    /// `role:`, what kind of element the view is; nil for what its control is.
    package var role: AccessibilityRecord.Role?
    /// `state:`, whether a published view that is no toggle is on or off; nil if it is neither.
    package var state: AccessibilityRecord.State?
    /// `value:`, the element's value as text.
    package var value: String?
    /// The frame in points, in the superview's coordinates, before `transform`.
    package var frame = CGRect.zero
    /// `hidden:`; hit-testing skips a hidden view and its subviews.
    package var isHidden = false
    /// `enabled:`, UIKit's `isUserInteractionEnabled`, and a control's `isEnabled`.
    package var isEnabled = true
    /// `multiple-touch:`, UIKit's `isMultipleTouchEnabled`.
    package var isMultipleTouchEnabled = false
    /// `exclusive-touch:`, UIKit's `isExclusiveTouch`.
    package var isExclusiveTouch = false
    /// `passthrough:`, only its subviews receive touches.
    package var isPassthrough = false
    /// `private:`, logs of its touches contain neither the location nor the subview.
    package var isPrivate = false
    /// `screen:`, the screen of a view on every page; nil for the first screen, and for all subviews.
    package var screen: String?
    /// The touchable part of the bounds.
    package var shape = ShapeSpec.rectangle
    /// `slop:`, how far beyond its shape the view can be hit, in points.
    package var slop = EdgeInsets.zero
    /// `transform:`, around the frame's center, as in UIKit.
    package var transform = CGAffineTransform.identity
    /// `alpha:`, from 0 to 1; hit-testing skips a view below 0.01.
    package var alpha: CGFloat = 1
    /// `redirect:`, the id of the view that receives the touches of this one.
    package var redirect: String?
    /// `forward:`, whether the program that draws also receives the touches; nil for the superview's value.
    package var forwards: Bool?
    /// `cooldown:`, the time in seconds after a press of the control within which no other press begins; 0 for none.
    package var cooldown: TimeInterval = 0
    /// `slot:`, what programs may publish in this view; nil for an ordinary view.
    package var slot: SlotSpec?
    /// `control:`, the kind of control; nil for a plain view.
    package var control: ControlSpec?
    /// Its recognizers, in the order in which they are attached.
    package var gestures: [GestureSpec] = []
    /// The steps for the view's triggers.
    package var on: [HandlerBinding] = []
    /// Subviews, back to front.
    package var views: [ViewSpec] = []

    /// Whether the view and its subviews cannot be seen, which keeps touches from them: `hidden:`, or `alpha:` below 0.01.
    package var isInvisible: Bool { isHidden || isTransparent }

    /// Whether `alpha:` is below UIKit's limit, 0.01.
    package var isTransparent: Bool { alpha < View.minimumAlpha }

    /// Whether hit-testing considers the view and its subviews, when nothing has changed them.
    package var canBeTouched: Bool { isEnabled && !isInvisible }

    /// Whether a touch of the view has an effect.
    package var hasEffect: Bool { control != nil || !gestures.isEmpty || !on.isEmpty }

    /// Whether a view in it is an element of the talking mode: a control, or one with a label.
    var hasElementsInside: Bool {
        views.contains { $0.control != nil || $0.label != nil || $0.slot != nil || $0.hasElementsInside }
    }

    /// Whether a view in it is a control.
    var hasControlsInside: Bool { views.contains { $0.control != nil || $0.hasControlsInside } }

    /// Whether another view differs at most in its location in the text, and in what can change while it is touched:
    /// `label`, `role`, `state`, `value`, `frame`, `shape`, `hidden`, `enabled`, `alpha`, whether a toggle is on, and its
    /// subviews.
    func isSame(as other: ViewSpec) -> Bool {
        let areToggles = if case (.toggle, .toggle) = (control, other.control) { true } else { false }
        // Not a copy that is compared: it would be made for each published view.
        return id == other.id && screen == other.screen && isMultipleTouchEnabled == other.isMultipleTouchEnabled
            && isExclusiveTouch == other.isExclusiveTouch && isPassthrough == other.isPassthrough
            && isPrivate == other.isPrivate && slop == other.slop && transform == other.transform
            && redirect == other.redirect && forwards == other.forwards && cooldown == other.cooldown
            && slot == other.slot && (areToggles || control == other.control)
            && on.isSame(as: other.on) && gestures.elementsEqual(other.gestures, by: { $0.isSame(as: $1) })
    }

    /// Moves the view and its subviews to other frames, by their ids.
    mutating func updateFrames(_ frames: [String: CGRect]) {
        if let frame = id.flatMap({ frames[$0] }) { self.frame = frame }
        for index in views.indices { views[index].updateFrames(frames) }
    }
}

nonisolated extension [HandlerBinding] {
    /// Whether the bindings differ at most in their locations.
    fileprivate func isSame(as other: [HandlerBinding]) -> Bool {
        elementsEqual(other) { $0.trigger == $1.trigger && $0.step.kind == $1.step.kind }
    }
}

nonisolated extension GestureSpec {
    fileprivate func isSame(as other: GestureSpec) -> Bool {
        var other = other
        (other.location, other.on) = (location, other.on.isSame(as: on) ? on : other.on)
        return self == other
    }
}
