import Foundation
import TouchKit

/// A view of a layout with a shape, slop, passthrough or redirection.
final class LayoutView: View {
    var area: HitArea

    init(_ spec: ViewSpec) {
        area = HitArea(spec)
        super.init(frame: spec.frame)
        isLaidOut = false
    }

    override func point(inside point: CGPoint, with event: Event?) -> Bool { area.contains(point, in: bounds) }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        let hit = super.hitTest(point, with: event)
        return hit === self ? area.receiver(for: self) : hit
    }
}

/// A control of a layout.
class LayoutButton: Button {
    var area: HitArea
    /// The pause after a press; nil for none.
    var cooldown: Cooldown?

    init(_ spec: ViewSpec) {
        area = HitArea(spec)
        super.init(frame: spec.frame)
        isLaidOut = false
        isEnabled = spec.isEnabled
        // Most buttons, for example the seats of a seat map, are hit-tested as quickly as plain views.
        isHitTestedPlainly = area.isPlain
    }

    override func beginTracking(_ touch: Touch, with event: Event?) -> Bool {
        guard cooldown?.permits(touch.timestamp) != false else { return false }
        return super.beginTracking(touch, with: event)
    }

    override func sendActions(for events: Events, with event: Event?) {
        if let cooldown, !events.isDisjoint(with: [.touchUpInside, .pressedOrHeld]) {
            cooldown.pressed(at: event?.timestamp ?? window?.application?.currentTime)
        }
        super.sendActions(for: events, with: event)
    }

    override func point(inside point: CGPoint, with event: Event?) -> Bool { area.contains(point, in: bounds) }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        let hit = super.hitTest(point, with: event)
        return hit === self ? area.receiver(for: self) : hit
    }
}

extension View {
    /// The view that the layout's `redirect:` names.
    var redirectTarget: View? { (self as? LayoutView)?.area.target ?? (self as? LayoutButton)?.area.target }
}

extension Control.Events {
    /// A toggle was switched on. Like the following events, it uses a bit that UIKit reserves for applications.
    static let switchedOn = Control.Events(rawValue: 1 << 24)
    /// A toggle was switched off.
    static let switchedOff = Control.Events(rawValue: 1 << 25)
    /// A repeating button was pressed, or was held for the delay or interval.
    static let pressedOrHeld = Control.Events(rawValue: 1 << 26)
}

/// A button that is on or off (`isSelected`) and changes when it is pressed.
final class ToggleButton: LayoutButton {
    /// The initial state, from the layout.
    let isOnAtFirst: Bool

    init(_ spec: ViewSpec, isOn: Bool) {
        isOnAtFirst = isOn
        super.init(spec)
        isSelected = isOn
    }

    override func sendActions(for events: Events, with event: Event?) {
        if events.contains(.touchUpInside) {
            isSelected.toggle()
            super.sendActions(for: [.valueChanged, isSelected ? .switchedOn : .switchedOff], with: event)
        }
        super.sendActions(for: events, with: event)
    }
}

/// A button that acts when a touch begins, and repeatedly while it is held.
///
/// It stops when the touch ends, leaves or is cancelled, and starts again only with the next touch. It uses the clock
/// of the devices' frames, so a recording makes it act as often as the original touch.
final class RepeatButton: LayoutButton {
    private let delay: TimeInterval
    private let interval: TimeInterval
    private var timer: Application.ScheduledAction?

    init(_ spec: ViewSpec, delay: TimeInterval, interval: TimeInterval) {
        self.delay = delay
        self.interval = interval
        super.init(spec)
    }

    override func sendActions(for events: Events, with event: Event?) {
        super.sendActions(for: events, with: event)
        if events.contains(.touchDown), let event {
            super.sendActions(for: .pressedOrHeld, with: event)
            // The action may have cancelled the touch.
            if isTracking { wait(until: event.timestamp + delay) }
        }
        if !events.isDisjoint(with: [.touchDragExit, .touchUpInside, .touchUpOutside, .touchCancel]) { stop() }
    }

    private func wait(until moment: TimeInterval) {
        timer = window?.application?.schedule(at: moment) { [weak self] in
            guard let self, isTracking, takesTouches else { return }
            sendActions(for: .pressedOrHeld, with: nil)
            if timer != nil, isTracking { wait(until: moment + interval) }
        }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}
