import Foundation
import TouchKit

/// A view of a layout that is no control.
final class LayoutView: View {
    /// Its entry in the layout or in the publication.
    fileprivate(set) var spec: ViewSpec
    var area: HitArea

    init(_ spec: ViewSpec) {
        self.spec = spec
        area = HitArea(spec)
        super.init(frame: spec.frame)
        isLaidOut = false
        // Most views are hit-tested as quickly as those of the superclass, and with a shape only in its bounds: a page may have
        // thousands of polygons.
        isHitTestedPlainly = area.isPlain
        isHitInBoundsOnly = area.slop == .zero
    }

    override func point(inside point: CGPoint, with event: Event?) -> Bool { area.contains(point, in: bounds) }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        let hit = super.hitTest(point, with: event)
        return hit === self ? area.receiver(for: self) : hit
    }
}

/// A control of a layout.
class LayoutButton: Button {
    /// Its entry in the layout or in the publication.
    fileprivate(set) var spec: ViewSpec
    var area: HitArea
    /// The pause after a press; nil for none.
    var cooldown: PressCooldown?
    /// Receives the control's changes.
    let actions: SceneActions
    /// The fingers in the control, or up to 70 points outside, as for `isTouchInside`.
    private var heldTouches: [Touch] = []

    init(_ spec: ViewSpec, _ actions: SceneActions) {
        self.spec = spec
        area = HitArea(spec)
        self.actions = actions
        super.init(frame: spec.frame)
        isLaidOut = false
        if !spec.isEnabled { isEnabled = false }
        // As in `LayoutView`.
        isHitTestedPlainly = area.isPlain
        isHitInBoundsOnly = area.slop == .zero
    }

    override func beginTracking(_ touch: Touch, with event: Event?) -> Bool {
        guard cooldown?.permits(touch.timestamp) != false else { return false }
        return super.beginTracking(touch, with: event)
    }

    override func point(inside point: CGPoint, with event: Event?) -> Bool { area.contains(point, in: bounds) }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        let hit = super.hitTest(point, with: event)
        return hit === self ? area.receiver(for: self) : hit
    }

    override func sendActions(for events: Events, with event: Event?) {
        if !events.isDisjoint(with: pressedEvents) {
            cooldown?.pressed(at: event?.timestamp ?? window?.application?.currentTime)
            actions.observer?.controlChanged(self, .pressed, event)
        }
        super.sendActions(for: events, with: event)
    }

    /// The events at which the control is activated.
    fileprivate var pressedEvents: Events { .touchUpInside }

    // MARK: Reload

    /// Whether it has a state that a reload keeps.
    var isChanged: Bool { cooldown?.last != nil }

    /// Copies the state of the view that had its place before a reload.
    func adoptState(of former: View) {
        if let cooldown, let last = (former as? LayoutButton)?.cooldown { cooldown.resume(last) }
    }

    // MARK: Held and released

    override var isEnabled: Bool {
        didSet { if !isEnabled { hold(nil) { $0 = [] } } }
    }

    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        hold(event) { held in
            for touch in event?.touches ?? [] where touches.contains(touch) && !held.contains(touch) {
                held.append(touch)
            }
        }
        super.touchesBegan(touches, with: event)
    }

    override func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        if isEnabled {
            // As one change: of two fingers one may leave while the other comes back.
            hold(event) { held in
                held.removeAll { touches.contains($0) && !isInside($0, with: event) }
                for touch in event?.touches ?? [] where touches.contains(touch) && !held.contains(touch) {
                    if isInside(touch, with: event) { held.append(touch) }
                }
            }
        }
        super.touchesMoved(touches, with: event)
    }

    override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        hold(event) { $0.removeAll { touches.contains($0) } }
        super.touchesEnded(touches, with: event)
    }

    override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        hold(event) { $0.removeAll { touches.contains($0) } }
        super.touchesCancelled(touches, with: event)
    }

    /// Changes the touches in the control, those of an event in its order, which a set of them does not have; most changes
    /// allocate nothing.
    private func hold(_ event: Event?, _ change: (inout [Touch]) -> Void) {
        let last = heldTouches.last
        change(&heldTouches)
        let isHeld = !heldTouches.isEmpty
        guard isHeld == (last == nil) else { return }
        if event != nil { actingTouch = heldTouches.first ?? last }
        defer { actingTouch = nil }
        actions.observer?.controlChanged(self, isHeld ? .held : .released, event)
        super.sendActions(for: isHeld ? .held : .released, with: event)
    }
}

extension Control.Events {
    /// A toggle was switched on. Like the following events, it uses a bit that UIKit reserves for applications.
    static let switchedOn = Control.Events(rawValue: 1 << 24)
    /// A toggle was switched off.
    static let switchedOff = Control.Events(rawValue: 1 << 25)
    /// A repeating button was pressed, or was held for the delay or interval.
    static let pressedOrHeld = Control.Events(rawValue: 1 << 26)
    /// The first finger is in the control. UIKit has no event with this or the next bit.
    static let held = Control.Events(rawValue: 1 << 32)
    /// The last finger has left the control, was lifted or cancelled.
    static let released = Control.Events(rawValue: 1 << 33)
}

/// A button that acts when a touch begins, and repeatedly while it is held.
///
/// It stops when the touch ends, leaves or is cancelled, and starts again only with the next touch. It uses the clock
/// of the devices' frames, so a recording makes it act as often as the original touch.
final class RepeatButton: LayoutButton {
    private let times: RepeatSpec
    private var timer: Application.ScheduledAction?

    init(_ spec: ViewSpec, _ actions: SceneActions, _ times: RepeatSpec) {
        self.times = times
        super.init(spec, actions)
    }

    fileprivate override var pressedEvents: Events { .pressedOrHeld }

    override func sendActions(for events: Events, with event: Event?) {
        super.sendActions(for: events, with: event)
        if events.contains(.touchDown), let event {
            super.sendActions(for: .pressedOrHeld, with: event)
            // The action may have cancelled the touch.
            if isTracking { wait(until: event.timestamp + times.delay) }
        }
        if !events.isDisjoint(with: [.touchDragExit, .touchUpInside, .touchUpOutside, .touchCancel]) { stop() }
    }

    private func wait(until moment: TimeInterval) {
        timer = window?.application?.schedule(at: moment) { [weak self] in
            guard let self, isTracking, takesTouches else { return }
            sendActions(for: .pressedOrHeld, with: nil)
            if timer != nil, isTracking { wait(until: moment + times.interval) }
        }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}

/// The touchable part of a view, and the receiver of touches there.
struct HitArea {
    /// The shape within the bounds.
    var shape: ShapeSpec
    /// How far touches may be outside the shape.
    var slop: EdgeInsets
    /// Whether only subviews receive touches.
    var isPassthrough: Bool
    /// Whether another view receives the touches.
    var isRedirected: Bool
    /// The view that receives redirected touches.
    private(set) weak var target: View?

    init(_ spec: ViewSpec) {
        shape = spec.shape
        slop = spec.slop
        isPassthrough = spec.isPassthrough
        isRedirected = spec.redirect != nil
    }

    /// Whether the area is that of an ordinary view: the bounds, without redirection.
    var isPlain: Bool { shape == .rectangle && slop == .zero && !isPassthrough && !isRedirected }

    mutating func redirect(to view: View?) { target = view }

    /// Whether the area contains a point in the view's coordinates.
    func contains(_ point: CGPoint, in bounds: CGRect) -> Bool {
        let reach = bounds.outset(by: slop)
        guard reach.contains(point) else { return false }
        switch shape {
        case .rectangle: return true
        case .ellipse: return Self.ellipse(reach, contains: point)
        case .rounded(let radius): return Self.rounded(reach, radius, contains: point)
        case .polygon(let corners): return isNear(corners, point)
        }
    }

    /// The view that receives a touch which hit `view`.
    func receiver(for view: View) -> View? {
        if isRedirected {
            guard let target, target.window === view.window, target.takesTouches else { return nil }
            return target
        }
        // What is only read takes no touches.
        let isRead = isPassthrough && view.isAccessibilityElement && view.window?.application?.isFindingElements == true
        return isPassthrough && !isRead ? nil : view
    }

    // MARK: Shapes

    private static func ellipse(_ rect: CGRect, contains point: CGPoint) -> Bool {
        let x = (point.x - rect.midX) / (rect.width / 2)
        let y = (point.y - rect.midY) / (rect.height / 2)
        return x * x + y * y <= 1
    }

    private static func rounded(_ rect: CGRect, _ radius: CGFloat, contains point: CGPoint) -> Bool {
        let radius = min(radius, rect.width / 2, rect.height / 2)
        let x = max(rect.minX + radius - point.x, point.x - (rect.maxX - radius), 0)
        let y = max(rect.minY + radius - point.y, point.y - (rect.maxY - radius), 0)
        return x * x + y * y <= radius * radius
    }

    /// Whether a point is inside a polygon by the even-odd rule, or within the slop of one of its sides.
    private func isNear(_ corners: [CGPoint], _ point: CGPoint) -> Bool {
        var isInside = false
        var previous = corners[corners.count - 1]
        for corner in corners {
            if (corner.y > point.y) != (previous.y > point.y) {
                let x = previous.x + (point.y - previous.y) / (corner.y - previous.y) * (corner.x - previous.x)
                if point.x < x { isInside.toggle() }
            }
            if slop != .zero, isNear(point, from: previous, to: corner) { return true }
            previous = corner
        }
        return isInside
    }

    private func isNear(_ point: CGPoint, from start: CGPoint, to end: CGPoint) -> Bool {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = dx * dx + dy * dy
        let part =
            length == 0 ? 0 : min(max(((point.x - start.x) * dx + (point.y - start.y) * dy) / length, 0), 1)
        let x = point.x - (start.x + part * dx)
        let y = point.y - (start.y + part * dy)
        return x >= -slop.left && x <= slop.right && y >= -slop.top && y <= slop.bottom
    }
}

extension View {
    /// Its entry in the layout or in the publication; nil for a view that a program added.
    var layoutSpec: ViewSpec? { (self as? LayoutView)?.spec ?? (self as? LayoutButton)?.spec }

    /// Replaces its entry and those of its subviews that stay by the ones of another text.
    func replaceSpecs(by spec: ViewSpec, _ kept: [Publication.Kept], in language: String?) {
        let hadLabel = layoutSpec?.label != nil
        if let view = self as? LayoutView { view.spec = spec } else { (self as? LayoutButton)?.spec = spec }
        // Also without another label: there may be elements inside now.
        let isGroup = self is Control && !(subviews.isEmpty && spec.views.isEmpty)
        if hadLabel || spec.label != nil || isGroup { setLabel(spec, in: language) }
        for entry in kept { subviews[entry.old].replaceSpecs(by: spec.views[entry.new], entry.subviews, in: language) }
    }

    /// Sets what the view is, for somebody who does not see it. A view with elements inside is not an element itself, nor
    /// is a control with controls inside, because one could not get at those.
    func setLabel(_ spec: ViewSpec, in language: String?) {
        accessibilityLabel = spec.label?.text(in: language)
        isAccessibilityElement =
            self is Control ? !spec.hasControlsInside : spec.label != nil && !spec.hasElementsInside
    }

    /// Sets the touchable part of the bounds.
    func setShape(_ shape: ShapeSpec) {
        if let view = self as? LayoutView {
            view.area.shape = shape
            view.isHitTestedPlainly = view.area.isPlain
        } else if let button = self as? LayoutButton {
            button.area.shape = shape
            button.isHitTestedPlainly = button.area.isPlain
        }
    }

    /// The view that the layout's `redirect:` names.
    var redirectTarget: View? { (self as? LayoutView)?.area.target ?? (self as? LayoutButton)?.area.target }

    /// The view and its superviews, the innermost first.
    package var withSuperviews: Superviews { Superviews(view: self) }

    /// Whether touches can reach the view: it and all its ancestors are visible and enabled.
    var takesTouches: Bool { withSuperviews.allSatisfy { $0.canBeHit } }
}

/// A view and its superviews. Unlike `sequence(first:next:)`, it does not allocate.
package struct Superviews: @MainActor Sequence, @MainActor IteratorProtocol {
    fileprivate var view: View?

    package mutating func next() -> View? {
        defer { view = view?.superview }
        return view
    }
}
