import Foundation

/// Recognizes fingers that stay down in one place (`UILongPressGestureRecognizer`).
///
/// Continuous: began after the duration, then changed with every move, ended when a finger lifts.
///
/// ```swift
/// let press = LongPressGestureRecognizer()
/// press.minimumPressDuration = 2
/// press.addHandler(in: [.began]) { press in print("held at", press.location(in: press.view)) }
/// view.addGestureRecognizer(press)
/// ```
@MainActor @preconcurrency open class LongPressGestureRecognizer: GestureRecognizer {
    /// UIKit's defaults, in seconds and points.
    package nonisolated static let defaultDuration: TimeInterval = 0.5, defaultMovement: CGFloat = 10

    /// How long the fingers must be down, in seconds; 0.5 by default.
    public var minimumPressDuration = defaultDuration
    /// How far a finger may move before the press begins, in points; 10 by default.
    public var allowableMovement = defaultMovement
    /// The number of taps before the press; 0 by default.
    public var numberOfTapsRequired = 0
    /// The number of fingers; 1 by default.
    public var numberOfTouchesRequired = 1

    /// The fingers of the press; one that comes down after it began is not among them.
    private var fingers: [Touch] = []

    /// Counts fingers, and starts the time when there are enough.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        guard state == .possible else { return }
        fingers += touches
        guard fingers.count <= numberOfTouchesRequired else { return state = .failed }
        guard fingers.count == numberOfTouchesRequired else { return }
        guard fingers.allSatisfy({ $0.tapCount > numberOfTapsRequired }) else { return }
        guard minimumPressDuration > 0 else { return state = .began }
        wait(until: event.timestamp + minimumPressDuration, for: .began)
    }

    /// Before the press begins, fails if a finger moves too far; afterwards enters changed.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        if state == .began || state == .changed { return state = .changed }
        if fingers.hasTouch(beyond: allowableMovement) { state = .failed }
    }

    /// Before the press begins, fails; afterwards enters ended.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        guard concerns(touches) else { return }
        state = state == .possible ? .failed : .ended
    }

    /// Before the press begins, fails; afterwards enters cancelled.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) {
        guard concerns(touches) else { return }
        state = state == .possible ? .failed : .cancelled
    }

    /// Whether the touches include one of the press's fingers; before the press begins, any finger counts.
    private func concerns(_ touches: Set<Touch>) -> Bool {
        state == .possible || fingers.contains { touches.contains($0) }
    }

    override var isResetWhenPossible: Bool { true }

    /// Clears the press.
    open override func reset() {
        super.reset()
        fingers.removeAll(keepingCapacity: true)
    }
}
