import Foundation

/// Recognizes one or more taps with one or more fingers (`UITapGestureRecognizer`). Discrete.
///
/// ```swift
/// let doubleTap = TapGestureRecognizer { tap in print("twice at", tap.location(in: tap.view)) }
/// doubleTap.numberOfTapsRequired = 2
/// view.addGestureRecognizer(doubleTap)
/// ```
@MainActor @preconcurrency open class TapGestureRecognizer: GestureRecognizer {
    /// The number of consecutive taps; 1 by default.
    public var numberOfTapsRequired = 1
    /// The number of fingers that must be down together in each tap; 1 by default.
    public var numberOfTouchesRequired = 1
    /// The maximum time from the lift of one tap to the next tap, in seconds; 0.35 by default. An addition: UIKit neither
    /// documents nor lets change its value. `Touch.tapCount` always counts with the default.
    public var maximumIntervalBetweenTaps = defaultInterval

    /// touchd's default, in seconds.
    package nonisolated static let defaultInterval = TapCounter.longestPause
    /// The maximum duration of a tap, in seconds. UIKit documents none of these values; they are touchd's.
    package nonisolated static let longestTap: TimeInterval = 0.75
    /// The maximum movement of a finger and distance between taps, in points.
    package nonisolated static let longestDistance = TapCounter.longestDistance

    /// The fingers of the current tap, in the order in which they came down.
    private var fingers: [Touch] = []
    private var taps = 0
    private var firstTap: [Touch] = []

    /// Whether the recognizer has counted a tap and waits for the next.
    open override var awaitsMoreTouches: Bool { taps > 0 && state == .possible }

    /// The number of fingers of the first tap, which need not lift together.
    open override var numberOfTouches: Int { firstTap.isEmpty ? super.numberOfTouches : firstTap.count }

    override func continues(with touch: Touch) -> Bool {
        guard let first = firstTap.first ?? fingers.first else { return true }
        return touch.landingLocation.distance(to: first.landingLocation) <= Self.longestDistance
    }

    /// The center of the first tap's fingers, in a view's coordinates; with nil, in the window's.
    open override func location(in view: View?) -> CGPoint {
        firstTap.isEmpty ? super.location(in: view) : firstTap.middle { $0.location(in: view) }
    }

    /// The location of one finger of the first tap, in a view's coordinates; with nil, in the window's.
    open override func location(ofTouch index: Int, in view: View?) -> CGPoint {
        guard firstTap.indices.contains(index) else { return super.location(ofTouch: index, in: view) }
        return firstTap[index].location(in: view)
    }

    /// Counts fingers; fails for too many, or for one too far from the first tap.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        let isFirst = fingers.isEmpty
        fingers += touches.inOrder
        guard fingers.count <= numberOfTouchesRequired else { return state = .failed }
        guard isFirst else { return }
        if let finger = fingers.first, !continues(with: finger) {
            return state = .failed
        }
        wait(until: event.timestamp + Self.longestTap, for: .failed)
    }

    /// Fails if a finger moves too far from its origin.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        if fingers.hasTouch(beyond: Self.longestDistance) { state = .failed }
    }

    /// Counts a tap when all fingers have lifted; recognizes the last one.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        guard fingers.count == numberOfTouchesRequired else { return state = .failed }
        guard fingers.allSatisfy(\.isOver) else { return }
        taps += 1
        if firstTap.isEmpty { firstTap = fingers }
        fingers.removeAll(keepingCapacity: true)
        stopWaiting()
        if taps >= numberOfTapsRequired { return state = .ended }
        wait(until: event.timestamp + maximumIntervalBetweenTaps, for: .failed)
    }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    override var isResetWhenPossible: Bool { true }

    /// Clears the taps.
    open override func reset() {
        super.reset()
        fingers.removeAll(keepingCapacity: true)
        firstTap = []
        taps = 0
    }

    /// Returns false for a tap recognizer with more taps or fingers: both start alike, and the other recognizes later.
    open override func canPrevent(_ other: GestureRecognizer) -> Bool {
        guard let tap = other as? TapGestureRecognizer else { return super.canPrevent(other) }
        return tap.numberOfTapsRequired <= numberOfTapsRequired
            && tap.numberOfTouchesRequired <= numberOfTouchesRequired
    }
}
