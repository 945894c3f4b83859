import Foundation

/// Recognizes taps in a sequence of places within a time: a hidden way to a service menu. Discrete. An addition to
/// UIKit.
///
/// It does not cancel or delay touches in views, so that visitors do not notice it.
///
/// ```swift
/// let corners = [CGRect(x: 0, y: 0, width: 100, height: 100), CGRect(x: 1820, y: 0, width: 100, height: 100)]
/// let sequence = SequenceGestureRecognizer(places: corners, within: 3)
/// sequence.addHandler { _ in print("open the service menu") }
/// window.addGestureRecognizer(sequence)
/// ```
@MainActor @preconcurrency open class SequenceGestureRecognizer: GestureRecognizer {
    /// The places to tap, in order, in the coordinates of the recognizer's view.
    public var places: [CGRect]
    /// Finds the places at each tap, for places that move; nil uses `places`.
    package final var findPlaces: (() -> [CGRect])?
    /// The time limit in seconds, from the first finger down to the last finger up.
    public var duration: TimeInterval

    private var next = 0
    private var finger: Touch?

    /// Makes a recognizer for a sequence of places and a time limit in seconds.
    public init(places: [CGRect], within duration: TimeInterval) {
        precondition(!places.isEmpty, "a sequence needs one place at least")
        self.places = places
        self.duration = duration
        super.init(target: nil, action: nil)
        cancelsTouchesInView = false
        delaysTouchesEnded = false
    }

    /// Whether the sequence has started and waits for the next tap.
    open override var awaitsMoreTouches: Bool { next > 0 && state == .possible }

    /// Fails for a wrong place or a second finger.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        if next == 0 && finger == nil {
            wait(until: event.timestamp + duration, for: .failed)
        }
        guard finger == nil, touches.count == 1, let touch = touches.first, isInPlace(touch) else {
            return state = .failed
        }
        finger = touch
    }

    /// Advances to the next place; recognizes after the last one.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        guard let finger, touches.contains(finger), isInPlace(finger) else { return state = .failed }
        self.finger = nil
        next += 1
        guard next == currentPlaces.count else { return }
        stopWaiting()
        state = .ended
    }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    override var isResetWhenPossible: Bool { true }

    /// Clears the sequence.
    open override func reset() {
        super.reset()
        next = 0
        finger = nil
    }

    /// Returns false: other recognizers do not interrupt the sequence.
    open override func canBePrevented(by other: GestureRecognizer) -> Bool { false }

    /// Returns false: the sequence does not interrupt other recognizers.
    open override func canPrevent(_ other: GestureRecognizer) -> Bool { false }

    private var currentPlaces: [CGRect] { findPlaces?() ?? places }

    private func isInPlace(_ touch: Touch) -> Bool {
        let places = currentPlaces
        return places.indices.contains(next) && places[next].contains(touch.location(in: view))
    }
}
