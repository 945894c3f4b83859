import Foundation
import TouchKit

/// One entry of `views:`, with its frame computed from whatever units and edges the file gave.
public nonisolated struct ViewSpec: Sendable, Equatable {
    /// Where the view begins in its file.
    public var location: SourceLocation
    /// The name by which logs and handlers know the view; unique in the layout.
    public var id: String?
    /// Points, in the superview's coordinates, before `transform`.
    public var frame: CGRect
    /// `hidden:`; a hidden view is never hit, nor is anything in it.
    public var isHidden = false
    /// `enabled:`, UIKit's `isUserInteractionEnabled`, and a control's `isEnabled`.
    public var isEnabled = true
    /// `multiple-touch:`, UIKit's `isMultipleTouchEnabled`.
    public var isMultipleTouchEnabled = false
    /// `exclusive-touch:`, UIKit's `isExclusiveTouch`.
    public var isExclusiveTouch = false
    /// `passthrough:`, only its subviews take touches.
    public var isPassthrough = false
    /// `private:`, nothing that is written of a touch in it says where it was or on which view in it.
    public var isPrivate = false
    /// Its recognizers, in the order in which they are attached.
    public var gestures: [GestureSpec] = []
    /// Which handlers run for what.
    public var on: [HandlerBinding] = []
    /// Subviews, back to front.
    public var views: [ViewSpec] = []
    /// What few views have, none or one of it; a seat map of 50,000 views has room for nothing that none of them uses.
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

    /// Makes a view of which nothing is said but its place.
    init(location: SourceLocation, id: String?, frame: CGRect) {
        self.location = location
        self.id = id
        self.frame = frame
    }

    /// `screen:` of a view that is on every page, the screen's name; nil for the first, and for all views inside others.
    public var screen: String? {
        get { rare.screen }
        set { rare.screen = newValue }
    }

    /// The part of the bounds that can be touched.
    public var shape: ShapeSpec {
        get { rare.shape }
        set { rare.shape = newValue }
    }

    /// `slop:`, how far beyond its shape the view can still be hit, in points.
    public var slop: EdgeInsets {
        get { rare.slop }
        set { rare.slop = newValue }
    }

    /// `transform:`, about the frame's centre, as in UIKit.
    public var transform: CGAffineTransform {
        get { rare.transform }
        set { rare.transform = newValue }
    }

    /// `alpha:`, from 0 to 1; below 0.01 a view is never hit.
    public var alpha: CGFloat {
        get { rare.alpha }
        set { rare.alpha = newValue }
    }

    /// `redirect:`, the id of the view that takes the touches of this one.
    public var redirect: String? {
        get { rare.redirect }
        set { rare.redirect = newValue }
    }

    /// `control:`, what kind of control it is; nil for a plain view.
    public var control: ControlSpec? {
        get { rare.control }
        set { rare.control = newValue }
    }
}

/// The part of a view's bounds that can be touched.
public nonisolated enum ShapeSpec: Sendable, Equatable {
    /// All of it.
    case rectangle
    /// All but what lies outside corners of this radius, in points.
    case rounded(radius: CGFloat)
    /// The ellipse that touches the four edges.
    case ellipse
    /// What lies inside a polygon by the even-odd rule; points in the view's coordinates.
    case polygon([CGPoint])
}

/// What kind of control a view is.
public nonisolated enum ControlSpec: Sendable, Equatable {
    /// Triggers `pressed` when a finger is lifted inside.
    case button
    /// A button that changes `isSelected` and triggers `switched-on` or `switched-off` too.
    case toggle(isOn: Bool)
    /// A button that triggers `pressed` when touched, after `delay` seconds again, and then every `interval` seconds.
    case repeating(delay: TimeInterval, interval: TimeInterval)
}
