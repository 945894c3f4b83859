import Foundation
import TouchKit

/// An entry of `views:`; its frame is computed from the units and edges in the file.
package nonisolated struct ViewSpec: Sendable, Equatable {
    /// The location of the entry.
    package var location: SourceLocation
    /// The view's name in logs and handlers; unique in the layout.
    package var id: String?
    /// The frame in points, in the superview's coordinates, before `transform`.
    package var frame: CGRect
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
    /// `control:`, the kind of control; nil for a plain view.
    package var control: ControlSpec?
    /// Its recognizers, in the order in which they are attached.
    package var gestures: [GestureSpec] = []
    /// The steps for the view's triggers.
    package var on: [HandlerBinding] = []
    /// Subviews, back to front.
    package var views: [ViewSpec] = []
    /// The rare properties: at most one element. A seat map of 50,000 views saves memory, because most views have none
    /// of them.
    private var rareProperties: [RareProperties] = []

    private struct RareProperties: Sendable, Equatable {
        var screen: String?
        var shape = ShapeSpec.rectangle
        var slop = EdgeInsets.zero
        var transform = CGAffineTransform.identity
        var alpha: CGFloat = 1
        var redirect: String?
        var forwards: Bool?
        var cooldown: TimeInterval = 0
        var slot: SlotSpec?
    }

    private var rare: RareProperties {
        get { rareProperties.isEmpty ? RareProperties() : rareProperties[0] }
        // Without a copy of all rare properties.
        _modify {
            if rareProperties.isEmpty { rareProperties.append(RareProperties()) }
            yield &rareProperties[0]
        }
    }

    /// Makes a view with default properties.
    init(location: SourceLocation, id: String?, frame: CGRect) {
        self.location = location
        self.id = id
        self.frame = frame
    }

    /// `screen:`, the screen of a view on every page; nil for the first screen, and for all subviews.
    package var screen: String? {
        get { rareProperties.isEmpty ? nil : rareProperties[0].screen }
        set { rare.screen = newValue }
    }

    /// The touchable part of the bounds.
    package var shape: ShapeSpec {
        get { rareProperties.isEmpty ? .rectangle : rareProperties[0].shape }
        set { rare.shape = newValue }
    }

    /// `slop:`, how far beyond its shape the view can be hit, in points.
    package var slop: EdgeInsets {
        get { rareProperties.isEmpty ? .zero : rareProperties[0].slop }
        set { rare.slop = newValue }
    }

    /// `transform:`, around the frame's center, as in UIKit.
    package var transform: CGAffineTransform {
        get { rareProperties.isEmpty ? .identity : rareProperties[0].transform }
        set { rare.transform = newValue }
    }

    /// `alpha:`, from 0 to 1; hit-testing skips a view below 0.01.
    package var alpha: CGFloat {
        get { rareProperties.isEmpty ? 1 : rareProperties[0].alpha }
        set { rare.alpha = newValue }
    }

    /// Whether the view and its subviews cannot be seen, which keeps touches from them: `hidden:`, or `alpha:` below 0.01.
    package var isInvisible: Bool { isHidden || isTransparent }

    /// Whether `alpha:` is below UIKit's limit, 0.01.
    package var isTransparent: Bool { alpha < View.minimumAlpha }

    /// Whether hit-testing considers the view and its subviews, when nothing has changed them.
    package var canBeTouched: Bool { isEnabled && !isInvisible }

    /// Whether a touch of the view has an effect.
    package var hasEffect: Bool { control != nil || !gestures.isEmpty || !on.isEmpty }

    /// `redirect:`, the id of the view that receives the touches of this one.
    package var redirect: String? {
        get { rareProperties.isEmpty ? nil : rareProperties[0].redirect }
        set { rare.redirect = newValue }
    }

    /// `forward:`, whether the program that draws also receives the touches; nil for the superview's value.
    package var forwards: Bool? {
        get { rareProperties.isEmpty ? nil : rareProperties[0].forwards }
        set { rare.forwards = newValue }
    }

    /// `cooldown:`, the time in seconds after a press of the control within which no other press begins; 0 for none.
    package var cooldown: TimeInterval {
        get { rareProperties.isEmpty ? 0 : rareProperties[0].cooldown }
        set { rare.cooldown = newValue }
    }

    /// `slot:`, what programs may publish in this view; nil for an ordinary view.
    package var slot: SlotSpec? {
        get { rareProperties.isEmpty ? nil : rareProperties[0].slot }
        set { rare.slot = newValue }
    }

    /// Whether another view differs at most in its location in the text, and in what can change while it is touched:
    /// `frame`, `hidden`, `enabled` and `alpha`.
    func isSame(as other: ViewSpec) -> Bool {
        guard id == other.id, isMultipleTouchEnabled == other.isMultipleTouchEnabled,
            isExclusiveTouch == other.isExclusiveTouch, isPassthrough == other.isPassthrough,
            isPrivate == other.isPrivate, control == other.control, views.count == other.views.count,
            on.count == other.on.count, gestures.count == other.gestures.count
        else { return false }
        if !rareProperties.isEmpty || !other.rareProperties.isEmpty {
            var (mine, others) = (rare, other.rare)
            (mine.alpha, others.alpha) = (1, 1)
            guard mine == others else { return false }
        }
        return on.isSame(as: other.on) && zip(gestures, other.gestures).allSatisfy { $0.isSame(as: $1) }
            && zip(views, other.views).allSatisfy { $0.isSame(as: $1) }
    }
}

nonisolated extension ViewSpec {
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
        id == other.id && kind == other.kind && requiresFailureOf == other.requiresFailureOf
            && simultaneousWith == other.simultaneousWith
            && cancelsTouchesInView == other.cancelsTouchesInView
            && cancelsForwardedTouches == other.cancelsForwardedTouches
            && delaysForwardedTouches == other.delaysForwardedTouches
            && on.isSame(as: other.on)
    }
}

/// The `slot:` of a view: other programs publish views in it through the control socket.
package nonisolated struct SlotSpec: Sendable, Equatable {
    /// The slot's name; unique in the layout.
    package var name: String
    /// The handlers that published views may run, one step for each.
    package var handlers: [HandlerStep] = []
    /// The program that has published the view's subviews; nil in a layout file.
    package var publisher: String?

    /// The names of the handlers.
    var handlerNames: Set<String> { Set(handlers.map(\.name)) }
}

/// The touchable part of a view's bounds.
package nonisolated enum ShapeSpec: Sendable, Equatable {
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
package nonisolated enum ControlSpec: Sendable, Equatable {
    /// Triggers `pressed` when a touch ends inside.
    case button
    /// A button that also changes `isSelected` and triggers `switched-on` or `switched-off`.
    case toggle(isOn: Bool)
    /// A button that triggers `pressed` when a touch begins, again after `delay` seconds, and then every `interval`
    /// seconds.
    ///
    /// It is indirect to keep views small.
    indirect case repeating(delay: TimeInterval, interval: TimeInterval)
}
