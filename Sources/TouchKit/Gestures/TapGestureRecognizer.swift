import Foundation

/// Recognizes one or more taps with one or more fingers (`UITapGestureRecognizer`). Discrete.
open class TapGestureRecognizer: GestureRecognizer {
    /// The number of consecutive taps; 1 by default.
    public var numberOfTapsRequired = 1
    /// The number of fingers that must be down together in each tap; 1 by default.
    public var numberOfTouchesRequired = 1

    // UIKit documents none of these values; they are touchd's.

    /// The maximum duration of a tap, in seconds.
    package nonisolated static let longestTap: TimeInterval = 0.75
    /// The maximum time from a tap to the next, in seconds.
    static let longestPause: TimeInterval = 0.35
    /// The maximum movement of a finger and distance between taps, in points.
    package nonisolated static let longestDistance: CGFloat = 45

    private var origins = FingerOrigins()
    private var taps = 0
    private var hasEnoughTouches = false
    private var firstPlace: CGPoint?
    private var firstTap: [Touch] = []

    /// Whether the recognizer has counted a tap and waits for the next.
    open override var awaitsMoreTouches: Bool { taps > 0 && state == .possible }

    /// The number of fingers of the first tap, which need not lift together.
    open override var numberOfTouches: Int { firstTap.isEmpty ? super.numberOfTouches : firstTap.count }

    override func continues(with touch: Touch) -> Bool {
        firstPlace.map { touch.screenLocation.distance(to: $0) <= Self.longestDistance } ?? true
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
        let isFirst = origins.isEmpty
        origins.add(touches)
        firstPlace = firstPlace ?? origins.firstPlace
        guard origins.count <= numberOfTouchesRequired else { return state = .failed }
        guard isFirst else { return checkCount() }
        if let firstPlace, let place = origins.firstPlace, place.distance(to: firstPlace) > Self.longestDistance {
            return state = .failed
        }
        wait(until: event.timestamp + Self.longestTap, for: .failed)
        checkCount()
    }

    /// Fails if a finger moves too far from its origin.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        if origins.hasFinger(beyond: Self.longestDistance) { state = .failed }
    }

    /// Counts a tap when all fingers have lifted; recognizes the last one.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        guard hasEnoughTouches else { return state = .failed }
        guard origins.fingers.allSatisfy(\.touch.isOver) else { return }
        taps += 1
        if firstTap.isEmpty { firstTap = origins.fingers.map(\.touch) }
        origins.removeAll()
        hasEnoughTouches = false
        stopWaiting()
        if taps >= numberOfTapsRequired { return state = .ended }
        wait(until: event.timestamp + Self.longestPause, for: .failed)
    }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Clears the taps.
    open override func reset() {
        super.reset()
        origins.removeAll()
        firstTap = []
        taps = 0
        hasEnoughTouches = false
        firstPlace = nil
    }

    /// Returns false for a tap recognizer with more taps or fingers: both start alike, and the other recognizes later.
    open override func canPrevent(_ other: GestureRecognizer) -> Bool {
        guard let tap = other as? TapGestureRecognizer else { return super.canPrevent(other) }
        return tap.numberOfTapsRequired <= numberOfTapsRequired
            && tap.numberOfTouchesRequired <= numberOfTouchesRequired
    }

    private func checkCount() {
        if origins.count == numberOfTouchesRequired { hasEnoughTouches = true }
    }
}
