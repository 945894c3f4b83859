import Foundation

/// Recognizes fingers that stay down in one place (`UILongPressGestureRecognizer`).
///
/// Continuous: began after the time, changed with every move then, ended when a finger lifts.
open class LongPressGestureRecognizer: GestureRecognizer {
    /// How long the fingers must be down, in seconds; 0.5 at first.
    public var minimumPressDuration: TimeInterval = 0.5
    /// How far a finger may move before the time is over, in points; 10 at first.
    public var allowableMovement: CGFloat = 10
    /// How many taps must come before the press; 0 at first.
    public var numberOfTapsRequired = 0
    /// How many fingers it takes; 1 at first.
    public var numberOfTouchesRequired = 1

    @exclusivity(unchecked) private var origins = FingerOrigins()

    /// Counts fingers, and begins to wait when there are enough.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        // A finger more after the press began is no part of it.
        guard state == .possible else { return }
        origins.add(touches)
        guard origins.count <= numberOfTouchesRequired else { return state = .failed }
        guard origins.count == numberOfTouchesRequired else { return }
        guard origins.fingers.allSatisfy({ $0.touch.tapCount > numberOfTapsRequired }) else { return }
        wait(until: event.timestamp + minimumPressDuration) { [unowned self] in state = .began }
    }

    /// Fails if a finger goes too far before the time is over; changes after it.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        if state == .began || state == .changed { return state = .changed }
        if origins.hasFinger(beyond: allowableMovement) { state = .failed }
    }

    /// Fails before the time is over; ends after it.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        guard concerns(touches) else { return }
        state = state == .possible ? .failed : .ended
    }

    /// Fails before the time is over; is cancelled after it.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        guard concerns(touches) else { return }
        state = state == .possible ? .failed : .cancelled
    }

    /// Whether one of the press's fingers is among some; before the time is over every finger is.
    private func concerns(_ touches: Set<Touch>) -> Bool {
        state == .possible || origins.fingers.contains { touches.contains($0.touch) }
    }

    /// Forgets the press.
    open override func reset() {
        super.reset()
        origins.removeAll()
    }
}
