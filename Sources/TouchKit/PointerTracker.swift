import Evdev
import Foundation

// MARK: - Tracking

/// The pointers of all mice: their locations, the touches of their left buttons, and the views under them.
final class PointerTracker {
    private unowned let application: Application
    private var pointers: [DeviceID: Pointer] = [:]
    private let hover: Event
    private let scroll: Event

    init(application: Application) {
        self.application = application
        hover = Event(type: .hover, application: application)
        scroll = Event(type: .scroll, application: application)
    }

    /// Moves a pointer: with its left button down it moves a touch, otherwise it hovers.
    func move(_ motion: PointerMotion, of device: DeviceID, at timestamp: TimeInterval) {
        let pointer = pointer(of: device)
        let before = pointer.screenLocation
        pointer.move(motion)
        if let touch = pointer.touch, !touch.isOver {
            // A mouse that pushes against the screen's edge does not move the pointer.
            guard pointer.screenLocation != before else { return }
            application.touches.change(touch, to: .moved, state: state(pointer, timestamp))
        } else {
            application.touches.sendPending()
            hover(pointer, at: timestamp)
        }
    }

    /// Begins or ends the touch of the left button at the pointer's location.
    func button(_ action: KeyChange.Action, of device: DeviceID, at timestamp: TimeInterval) {
        let pointer = pointer(of: device)
        switch action {
        case .pressed:
            if let touch = pointer.touch, !touch.isOver { return }
            pointer.touch = application.touches.begin(
                device: device, contact: nil, type: .indirectPointer, screen: pointer.screen,
                state: state(pointer, timestamp))
        case .released, .cancelled:
            guard let touch = pointer.touch else { return }
            pointer.touch = nil
            guard !touch.isOver else { return }
            application.touches.change(
                touch, to: action == .released ? .ended : .cancelled, state: state(pointer, timestamp))
        case .repeated:
            break
        }
    }

    /// Sends a scroll event to the view under the pointer.
    func turn(_ delta: ScrollDelta, of device: DeviceID, at timestamp: TimeInterval) {
        guard !application.isIgnoringEvents else { return }
        let pointer = pointer(of: device)
        scroll.timestamp = timestamp
        guard let view = viewUnder(pointer, scroll) else { return }
        send(.scrolled(pointer, Scroll(x: delta.x, y: delta.y)), to: view, scroll)
    }

    /// Ends hovering over the views of a subtree that leaves its window.
    func leave(branch root: View) {
        for pointer in pointers.values {
            // Only those of the subtree: the pointer may be on its way to another view.
            let left = pointer.hovering.filter { $0.attachedView?.isDescendant(of: root) == true }
            pointer.hovering.removeAll { left.holds($0) }
            pointer.end(left, hover)
            if pointer.view?.isDescendant(of: root) == true { leaveView(pointer) }
        }
    }

    /// Removes the pointer of a device.
    func remove(_ device: DeviceID) {
        guard let pointer = pointers.removeValue(forKey: device) else { return }
        leave(pointer)
    }

    /// Ends all hovering.
    func leaveAll() {
        for pointer in pointers.values { leave(pointer) }
    }

    private func pointer(of device: DeviceID) -> Pointer {
        let screen = application.screen(for: device)
        if let pointer = pointers[device] {
            pointer.screen = screen
            return pointer
        }
        let pointer = Pointer(device: device, screen: screen)
        pointers[device] = pointer
        return pointer
    }

    private func hover(_ pointer: Pointer, at timestamp: TimeInterval) {
        hover.timestamp = timestamp
        let view = application.isIgnoringEvents ? nil : viewUnder(pointer, hover)
        // Recognizers come first, as with touches.
        pointer.notifyRecognizers(over: view, hover)
        if let view, view === pointer.view {
            send(.hoverMoved(pointer), to: view, hover)
            return
        }
        leaveView(pointer)
        // A receiver of the end may have changed the tree.
        guard let view, view.window != nil else { return }
        pointer.view = view
        // If an override of `sendEvent` drops the beginning, the view gets no end.
        if !send(.hoverBegan(pointer), to: view, hover), pointer.view === view { pointer.view = nil }
    }

    private func leave(_ pointer: Pointer) {
        pointer.notifyRecognizers(over: nil, hover)
        leaveView(pointer)
    }

    private func leaveView(_ pointer: Pointer) {
        guard let view = pointer.view else { return }
        pointer.view = nil
        // Directly to the view: if an override of `sendEvent` drops the event, the view must not stay hovered forever.
        view.hoverEnded(pointer, with: hover)
    }

    private func viewUnder(_ pointer: Pointer, _ event: Event) -> View? {
        let hit = application.hitTest(pointer.screenLocation, on: pointer.screen, with: event)
        return hit?.window == nil ? nil : hit
    }

    /// Sends an event; returns whether the window delivered it.
    @discardableResult
    private func send(_ content: EventMessage.Content, to receiver: View, _ event: Event) -> Bool {
        event.message = EventMessage(content: content, receiver: receiver)
        application.sendEvent(event)
        defer { event.message = nil }
        return event.message == nil
    }

    private func state(_ pointer: Pointer, _ timestamp: TimeInterval) -> TouchState {
        TouchState(timestamp: timestamp, location: pointer.screenLocation)
    }
}
