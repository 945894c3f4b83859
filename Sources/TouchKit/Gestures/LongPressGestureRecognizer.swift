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

    private var origins: [(touch: Touch, place: CGPoint)] = []
    private var timer: GestureTimers.Timer?

    /// Counts fingers, and begins to wait when there are enough.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        // A finger more after the press began is no part of it.
        guard state == .possible else { return }
        for touch in touches.inOrder { origins.append((touch, touch.screenLocation)) }
        guard origins.count <= numberOfTouchesRequired else { return fail() }
        guard origins.count == numberOfTouchesRequired else { return }
        guard origins.allSatisfy({ $0.touch.tapCount > numberOfTapsRequired }) else { return }
        timer = environment?.schedule(at: event.timestamp + minimumPressDuration) { [weak self] in
            self?.state = .began
        }
    }

    /// Fails if a finger goes too far before the time is over; changes after it.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        if state == .began || state == .changed { return state = .changed }
        for (touch, place) in origins where touch.screenLocation.distance(to: place) > allowableMovement {
            return fail()
        }
    }

    /// Fails before the time is over; ends after it.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        guard origins.contains(where: { touches.contains($0.touch) }) || state == .possible else { return }
        if state == .possible { fail() } else { state = .ended }
    }

    /// Fails before the time is over; is cancelled after it.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        if state == .possible { fail() } else { state = .cancelled }
    }

    /// Forgets the press.
    open override func reset() {
        super.reset()
        timer?.cancel()
        timer = nil
        origins = []
    }

    private func fail() {
        timer?.cancel()
        state = .failed
    }
}
