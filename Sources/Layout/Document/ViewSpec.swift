import Foundation
import TouchKit

/// An entry of `views:`; its frame is computed from the units and edges in the file.
public nonisolated struct ViewSpec: Sendable, Equatable {
    /// The location of the entry.
    public var location: SourceLocation
    /// The view's name in logs and handlers; unique in the layout.
    public var id: String?
    /// The frame in points, in the superview's coordinates, before `transform`.
    public var frame: CGRect
    /// `hidden:`; hit-testing skips a hidden view and its subviews.
    public var isHidden = false
    /// `enabled:`, UIKit's `isUserInteractionEnabled`, and a control's `isEnabled`.
    public var isEnabled = true
    /// `multiple-touch:`, UIKit's `isMultipleTouchEnabled`.
    public var isMultipleTouchEnabled = false
    /// `exclusive-touch:`, UIKit's `isExclusiveTouch`.
    public var isExclusiveTouch = false
    /// `passthrough:`, only its subviews receive touches.
    public var isPassthrough = false
    /// `private:`, logs of its touches contain neither the location nor the subview.
    public var isPrivate = false
    /// Its recognizers, in the order in which they are attached.
    public var gestures: [GestureSpec] = []
    /// The steps for the view's triggers.
    public var on: [HandlerBinding] = []
    /// Subviews, back to front.
    public var views: [ViewSpec] = []
    /// The rare properties: zero elements or one. A seat map of 50,000 views saves memory, because most views have none
    /// of them.
    private var rarities: [Rarities] = []

    private struct Rarities: Sendable, Equatable {
        var screen: String?
        var shape = ShapeSpec.rectangle
        var slop = EdgeInsets.zero
        var transform = CGAffineTransform.identity
        var alpha: CGFloat = 1
        var redirect: String?
        var control: ControlSpec?
    }

    private var rare: Rarities {
        get { rarities.first ?? Rarities() }
        set { rarities = newValue == Rarities() ? [] : [newValue] }
    }

    /// Makes a view with default properties.
    init(location: SourceLocation, id: String?, frame: CGRect) {
        self.location = location
        self.id = id
        self.frame = frame
    }

    /// `screen:`, the screen of a view on every page; nil for the first screen, and for all subviews.
    public var screen: String? {
        get { rare.screen }
        set { rare.screen = newValue }
    }

    /// The touchable part of the bounds.
    public var shape: ShapeSpec {
        get { rare.shape }
        set { rare.shape = newValue }
    }

    /// `slop:`, how far beyond its shape the view can be hit, in points.
    public var slop: EdgeInsets {
        get { rare.slop }
        set { rare.slop = newValue }
    }

    /// `transform:`, around the frame's center, as in UIKit.
    public var transform: CGAffineTransform {
        get { rare.transform }
        set { rare.transform = newValue }
    }

    /// `alpha:`, from 0 to 1; hit-testing skips a view below 0.01.
    public var alpha: CGFloat {
        get { rare.alpha }
        set { rare.alpha = newValue }
    }

    /// Whether the view and its subviews cannot be seen, which keeps touches from them: `hidden:`, or `alpha:` below 0.01.
    package var isInvisible: Bool { isHidden || isTransparent }

    /// Whether `alpha:` is below 0.01, UIKit's limit.
    package var isTransparent: Bool { alpha < 0.01 }

    /// Whether hit-testing considers the view and its subviews, when nothing has changed them.
    package var canBeTouched: Bool { isEnabled && !isInvisible }

    /// Whether a touch of the view has an effect.
    package var hasEffect: Bool { control != nil || !gestures.isEmpty || !on.isEmpty }

    /// `redirect:`, the id of the view that receives the touches of this one.
    public var redirect: String? {
        get { rare.redirect }
        set { rare.redirect = newValue }
    }

    /// `control:`, the kind of control; nil for a plain view.
    public var control: ControlSpec? {
        get { rare.control }
        set { rare.control = newValue }
    }
}

/// The touchable part of a view's bounds.
public nonisolated enum ShapeSpec: Sendable, Equatable {
    /// The whole bounds.
    case rectangle
    /// The bounds with rounded corners of this radius, in points.
    case rounded(radius: CGFloat)
    /// The ellipse inscribed in the bounds.
    case ellipse
    /// The inside of a polygon by the even-odd rule; in the view's coordinates.
    case polygon([CGPoint])
}

/// The kind of control.
public nonisolated enum ControlSpec: Sendable, Equatable {
    /// Triggers `pressed` when a touch ends inside.
    case button
    /// A button that also changes `isSelected` and triggers `switched-on` or `switched-off`.
    case toggle(isOn: Bool)
    /// A button that triggers `pressed` when a touch begins, again after `delay` seconds, and then every `interval`
    /// seconds.
    case repeating(delay: TimeInterval, interval: TimeInterval)
}
