import Foundation

/// Recognizes taps in a row of places within a time: the hidden way to a service menu. Discrete; not UIKit's.
///
/// It leaves touches to their views, since nobody is to notice it.
open class SequenceGestureRecognizer: GestureRecognizer {
    /// The places to be tapped one after the other, in the coordinates of the recognizer's view.
    public var places: [CGRect]
    /// How long the whole may take in seconds, from the first finger down to the last up.
    public var duration: TimeInterval

    private var next = 0
    private var finger: Touch?

    /// Makes a recognizer of a row of places and a time in seconds.
    public init(places: [CGRect], within duration: TimeInterval) {
        precondition(!places.isEmpty, "a sequence needs one place at least")
        self.places = places
        self.duration = duration
        super.init()
        cancelsTouchesInView = false
        delaysTouchesEnded = false
    }

    /// Whether a place was tapped and the next is waited for.
    open override var awaitsMoreTouches: Bool { next > 0 && state == .possible }

    /// Fails at a wrong place or a second finger.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        if next == 0 && finger == nil {
            wait(until: event.timestamp + duration) { [unowned self] in state = .failed }
        }
        guard finger == nil, touches.count == 1, let touch = touches.first, isInPlace(touch) else {
            return state = .failed
        }
        finger = touch
    }

    /// Goes on to the next place, and recognizes the last.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        guard let finger, touches.contains(finger), isInPlace(finger) else { return state = .failed }
        self.finger = nil
        next += 1
        guard next == places.count else { return }
        stopWaiting()
        state = .ended
    }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Forgets the row.
    open override func reset() {
        super.reset()
        next = 0
        finger = nil
    }

    /// What others recognize does not break the row, and the row keeps nobody from recognizing.
    open override func canBePrevented(by other: GestureRecognizer) -> Bool { false }

    /// It prevents nobody.
    open override func canPrevent(_ other: GestureRecognizer) -> Bool { false }

    private func isInPlace(_ touch: Touch) -> Bool {
        places.indices.contains(next) && places[next].contains(touch.location(in: view))
    }
}
