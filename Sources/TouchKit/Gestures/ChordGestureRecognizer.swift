import Foundation

/// Recognizes a number of fingers held down together for a time. Discrete; not UIKit's.
open class ChordGestureRecognizer: GestureRecognizer {
    /// How many fingers it takes.
    public var numberOfTouchesRequired: Int
    /// How long they must be down together, in seconds.
    public var duration: TimeInterval
    /// How far a finger may move meanwhile, in points; 20 at first, as several fingers rest less still than one.
    public var allowableMovement: CGFloat = 20

    @exclusivity(unchecked) private var origins = FingerOrigins()

    /// Makes a recognizer of a number of fingers and a time in seconds.
    public init(touches: Int, duration: TimeInterval) {
        precondition(touches > 0, "a chord needs one finger at least, not \(touches)")
        numberOfTouchesRequired = touches
        self.duration = duration
        super.init()
    }

    /// Begins to wait when there are enough fingers; fails with one too many.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        origins.add(touches)
        guard origins.count <= numberOfTouchesRequired else { return state = .failed }
        guard origins.count == numberOfTouchesRequired else { return }
        wait(until: event.timestamp + duration) { [unowned self] in state = .ended }
    }

    /// Fails if a finger goes too far.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        if origins.hasFinger(beyond: allowableMovement) { state = .failed }
    }

    /// Fails.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Forgets the fingers.
    open override func reset() {
        super.reset()
        origins.removeAll()
    }
}
