import Foundation

/// Recognizes one or more taps of one or more fingers (`UITapGestureRecognizer`). Discrete.
open class TapGestureRecognizer: GestureRecognizer {
    /// How many taps in a row it takes; 1 at first.
    public var numberOfTapsRequired = 1
    /// How many fingers must be down at once in each; 1 at first.
    public var numberOfTouchesRequired = 1

    /// How long a finger may stay down in seconds, how long it may take to the next tap, and how far, in points, a finger
    /// may go and taps may lie apart.
    ///
    /// UIKit documents none of these; 0.75 s, 0.35 s and 45 points are touchd's own.
    static let longestTap: TimeInterval = 0.75
    static let longestPause: TimeInterval = 0.35
    static let longestDistance: CGFloat = 45

    @exclusivity(unchecked) private var origins = FingerOrigins()
    private var taps = 0
    private var hasEnoughTouches = false
    private var firstPlace: CGPoint?
    private var firstTap: [Touch] = []

    /// Whether it has had a tap and waits for the next.
    open override var awaitsMoreTouches: Bool { taps > 0 && state == .possible }

    /// The middle of the fingers of the first tap, in a view's coordinates; with nil, in the window's.
    open override func location(in view: View?) -> CGPoint {
        firstTap.isEmpty ? super.location(in: view) : firstTap.middle { $0.location(in: view) }
    }

    /// Where one of the fingers of the first tap was, in a view's coordinates; with nil, in the window's.
    open override func location(ofTouch index: Int, in view: View?) -> CGPoint {
        guard firstTap.indices.contains(index) else { return super.location(ofTouch: index, in: view) }
        return firstTap[index].location(in: view)
    }

    /// Counts fingers; one too many, or one too far from the first tap, is a failure.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        let isFirst = origins.isEmpty
        origins.add(touches)
        firstPlace = firstPlace ?? origins.firstPlace
        guard origins.count <= numberOfTouchesRequired else { return state = .failed }
        guard isFirst else { return checkCount() }
        if let firstPlace, let place = origins.firstPlace, place.distance(to: firstPlace) > Self.longestDistance {
            return state = .failed
        }
        wait(until: event.timestamp + Self.longestTap) { [unowned self] in state = .failed }
        checkCount()
    }

    /// Fails if a finger goes too far from where it came down.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        if origins.hasFinger(beyond: Self.longestDistance) { state = .failed }
    }

    /// Counts the tap when all fingers are lifted, and recognizes the last.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        guard hasEnoughTouches else { return state = .failed }
        guard origins.fingers.allSatisfy(\.touch.isOver) else { return }
        taps += 1
        if firstTap.isEmpty { firstTap = origins.fingers.map(\.touch) }
        origins.removeAll()
        hasEnoughTouches = false
        stopWaiting()
        if taps >= numberOfTapsRequired { return state = .ended }
        wait(until: event.timestamp + Self.longestPause) { [unowned self] in state = .failed }
    }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Forgets the taps.
    open override func reset() {
        super.reset()
        origins.removeAll()
        firstTap = []
        taps = 0
        hasEnoughTouches = false
        firstPlace = nil
    }

    /// A tap does not keep one of more taps or fingers from being recognized later: that begins in the same way.
    open override func canPrevent(_ other: GestureRecognizer) -> Bool {
        guard let tap = other as? TapGestureRecognizer else { return super.canPrevent(other) }
        return tap.numberOfTapsRequired <= numberOfTapsRequired
            && tap.numberOfTouchesRequired <= numberOfTouchesRequired
    }

    private func checkCount() {
        if origins.count == numberOfTouchesRequired { hasEnoughTouches = true }
    }
}
