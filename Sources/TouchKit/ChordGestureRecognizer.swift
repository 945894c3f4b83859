import Foundation

/// Recognizes several fingers held down together for a time. Discrete. An addition to UIKit.
///
/// ```swift
/// let chord = ChordGestureRecognizer(touches: 3, duration: 2)
/// chord.addHandler { _ in print("open the service menu") }
/// window.addGestureRecognizer(chord)
/// ```
@MainActor @preconcurrency open class ChordGestureRecognizer: GestureRecognizer {
    /// The number of fingers.
    public var numberOfTouchesRequired: Int
    /// How long the fingers must be down together, in seconds.
    public var duration: TimeInterval
    /// How far each finger may move in the meantime, in points; 20 by default, because several fingers are less steady
    /// than one.
    public var allowableMovement: CGFloat = 20

    private var fingers: [Touch] = []

    /// Makes a recognizer for a number of fingers and a duration in seconds.
    public init(touches: Int, duration: TimeInterval) {
        precondition(touches > 0, "a chord needs one finger at least, not \(touches)")
        numberOfTouchesRequired = touches
        self.duration = duration
        super.init(target: nil, action: nil)
    }

    /// Starts the time when there are enough fingers; fails if there are too many.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        fingers += touches
        guard fingers.count <= numberOfTouchesRequired else { return state = .failed }
        guard fingers.count == numberOfTouchesRequired else { return }
        wait(until: event.timestamp + duration, for: .ended)
    }

    /// Fails if a finger moves too far.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        if fingers.hasTouch(beyond: allowableMovement) { state = .failed }
    }

    /// Fails.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    override var isResetWhenPossible: Bool { true }

    /// Clears the fingers.
    open override func reset() {
        super.reset()
        fingers.removeAll(keepingCapacity: true)
    }
}
