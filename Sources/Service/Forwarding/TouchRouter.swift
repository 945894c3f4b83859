import ControlProtocol
import Evdev
import Foundation
import TouchKit

/// Decides which touches go through to the program that draws the screen, and sends them.
///
/// A touch is decided when it begins and keeps the decision until it ends, except that a gesture or a switch may take it
/// back. Nothing allocates per moved touch.
package final class TouchRouter: DeliveryObserver {
    package var decidesAfterEvent: Bool { !panels.isEmpty }

    /// Whether touches outside views with `forward` go through.
    var forwardsByDefault = true
    /// The time after a lift within which no other touch begins, in seconds; 0 for none.
    var cooldown: TimeInterval = 0
    /// Whether a touch that is taken back is lifted, for programs that ignore cancelled touches.
    var liftsCancelled = false {
        didSet { for panel in panels { panel.liftsCancelled = liftsCancelled } }
    }
    private(set) var counts = StatusReport.Forwarding()

    /// Whether no touch goes through: an idle time with `forward: false` has passed.
    private(set) var isSuspended = false

    private struct RoutedTouch {
        let touch: Touch
        let panel: ForwardedPanel
        /// Its slot; -1 while a gesture delays it.
        var slot: Int
        /// Where it began.
        let start: ForwardedAxes
        /// Where it is.
        var axes: ForwardedAxes
        /// Whether it has been lifted, which is sent after its gestures have decided.
        var isLifted = false
    }

    private var entries: [RoutedTouch] = []
    private(set) var panels: [ForwardedPanel] = []
    private var isResuming = false

    package init() { entries.reserveCapacity(Int(ContactEncoder.greatestSlots)) }

    // MARK: Panels

    package func add(_ panel: ForwardedPanel) {
        panel.liftsCancelled = liftsCancelled
        panels.append(panel)
    }

    /// Forgets a panel whose virtual touchscreen is about to disappear, which ends its contacts.
    func remove(_ panel: ForwardedPanel) {
        forget(panel)
        panels.removeAll { $0 === panel }
    }

    /// Forgets the contacts of a panel, which somebody else has ended.
    func forget(_ panel: ForwardedPanel) {
        for index in entries.indices where entries[index].panel === panel {
            counts.cancelled += entries[index].slot < 0 ? 0 : 1
            entries[index].touch.forwarding = entries[index].slot < 0 ? .kept(.notGrabbed) : .cancelled
        }
        entries.removeAll { $0.panel === panel }
    }

    /// Cancels the contacts of a panel that is about to be closed.
    func cancel(_ panel: ForwardedPanel) {
        takeBack { $0.panel === panel ? .notGrabbed : nil }
        panel.encoder.endFrame()
    }

    func panel(of device: DeviceID) -> ForwardedPanel? {
        for index in panels.indices where panels[index].info.id == device { return panels[index] }
        return nil
    }

    // MARK: Idleness

    /// Lets no touch through from now on, and cancels those that are down.
    func suspend() {
        isSuspended = true
        takeBack { _ in .idle }
        flush()
    }

    /// Lets touches through again.
    /// - Parameter swallowing: whether the touches that begin in the event being delivered still do not go through.
    func resume(swallowing: Bool) {
        isResuming = isSuspended && swallowing
        isSuspended = false
    }

    // MARK: Events

    package func willDeliver(_ event: Event) {
        guard !panels.isEmpty else { return }
        for index in event.touches.indices {
            switch event.touches[index].phase {
            case .stationary: continue
            case .began: begin(event.touches[index])
            case .moved: move(event.touches[index])
            case .ended: end(event.touches[index])
            case .cancelled: break
            }
        }
        flush()
    }

    package func didArbitrate() {
        isResuming = false
        guard !entries.isEmpty else { return }
        takeBack { entry in
            if entry.touch.isClaimedByGesture { return .gesture }
            return entry.touch.phase == .cancelled ? .cancelled : nil
        }
        var index = 0
        while index < entries.count {
            if entries[index].slot < 0 {
                if entries[index].touch.isDelayedByGesture {
                    index += 1
                    continue
                }
                guard release(index) else {
                    keep(entries.remove(at: index).touch, .slots)
                    continue
                }
            }
            if entries[index].isLifted { lift(index) } else { index += 1 }
        }
        flush()
    }

    private func begin(_ touch: Touch) {
        guard touch.contact != nil, let panel = panel(of: touch.device) else { return }
        if let reason = reasonToKeep(touch, panel) {
            keep(touch, reason)
            return
        }
        let axes = panel.axes(of: touch)
        var entry = RoutedTouch(touch: touch, panel: panel, slot: -1, start: axes, axes: axes)
        if touch.isDelayedByGesture {
            touch.forwarding = .delayed
        } else {
            guard let slot = panel.encoder.begin(axes) else { return keep(touch, .slots) }
            entry.slot = slot
            touch.forwarding = .through
            counts.began += 1
        }
        entries.append(entry)
    }

    private func reasonToKeep(_ touch: Touch, _ panel: ForwardedPanel) -> TouchForwarding.Reason? {
        if isSuspended || isResuming { return .idle }
        guard let grabbedAt = panel.grabbedAt, touch.timestamp >= grabbedAt else { return .notGrabbed }
        guard touch.view?.inheritedForwardsTouches?.value ?? forwardsByDefault else { return .view }
        if cooldown > 0, let last = panel.lastLift, touch.timestamp - last < cooldown,
            !entries.contains(where: { $0.panel === panel })
        {
            return .cooldown
        }
        return nil
    }

    private func keep(_ touch: Touch, _ reason: TouchForwarding.Reason) {
        touch.forwarding = .kept(reason)
        counts.kept[reason.rawValue, default: 0] += 1
    }

    private func move(_ touch: Touch) {
        guard let index = index(of: touch) else { return }
        let panel = entries[index].panel
        let axes = panel.axes(of: touch)
        entries[index].axes = axes
        if entries[index].slot >= 0 { panel.encoder.move(entries[index].slot, axes) }
    }

    private func end(_ touch: Touch) {
        guard let index = index(of: touch), !entries[index].isLifted else { return }
        entries[index].isLifted = true
        // A gesture that is recognized by this lift still takes the touch back.
        if entries[index].slot >= 0, !touch.mayBeTakenBack { lift(index) }
    }

    private func lift(_ index: Int) {
        let entry = entries.remove(at: index)
        entry.panel.encoder.lift(entry.slot)
        entry.panel.lastLift = entry.touch.timestamp
        counts.ended += 1
    }

    /// Sends a delayed touch: its beginning where it began, and a move to where it is. Returns false without a free slot.
    private func release(_ index: Int) -> Bool {
        let entry = entries[index]
        let encoder = entry.panel.encoder
        guard let slot = encoder.begin(entry.start) else { return false }
        entries[index].slot = slot
        entry.touch.forwarding = .through
        counts.began += 1
        encoder.endFrame()
        encoder.move(slot, entry.axes)
        encoder.endFrame()
        return true
    }

    /// Cancels forwarded touches and drops delayed ones for which there is a reason.
    private func takeBack(_ reason: (borrowing RoutedTouch) -> TouchForwarding.Reason?) {
        for index in entries.indices.reversed() {
            guard let reason = reason(entries[index]) else { continue }
            let entry = entries.remove(at: index)
            if entry.slot >= 0 {
                if liftsCancelled {
                    entry.panel.encoder.lift(entry.slot)
                } else {
                    entry.panel.encoder.cancel(entry.slot)
                }
                entry.touch.forwarding = .cancelled
                counts.cancelled += 1
            } else {
                keep(entry.touch, reason)
            }
        }
    }

    private func index(of touch: Touch) -> Int? {
        for index in entries.indices where entries[index].touch === touch { return index }
        return nil
    }

    private func flush() {
        for index in panels.indices { panels[index].encoder.endFrame() }
    }
}
