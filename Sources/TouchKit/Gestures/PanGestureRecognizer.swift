import Foundation

/// Recognizes fingers that move (`UIPanGestureRecognizer`).
///
/// Continuous: began when the fingers' middle has gone 10 points, then changed with every move while enough fingers are
/// down, ended when the last lifts. The translation counts from where it began.
open class PanGestureRecognizer: GestureRecognizer {
    /// How many fingers it takes at least; 1 at first.
    public var minimumNumberOfTouches = 1
    /// How many fingers it takes at most; any number at first.
    public var maximumNumberOfTouches = Int.max

    /// How far the fingers must go, in points. UIKit documents no number; 10 is as far as a long press may stray.
    static let threshold: CGFloat = 10

    /// Where the fingers' middle was when they last changed in number, in the screen's coordinates.
    @exclusivity(unchecked) private var lastMiddle: CGPoint?
    /// How far they went, in points of the screen.
    @exclusivity(unchecked) private var distance = CGPoint.zero
    private var offset = CGPoint.zero
    @exclusivity(unchecked) private var track = MotionTrack()

    /// How far the fingers went since it began, in a view's coordinates.
    open func translation(in view: View?) -> CGPoint {
        vector(CGPoint(x: distance.x - offset.x, y: distance.y - offset.y), in: view)
    }

    /// Has the translation count from another value.
    ///
    /// UIKit's reference says that this resets the velocity. Here it does not: a handler that sets the translation back
    /// with every change, as most do, would find no velocity at the end.
    open func setTranslation(_ translation: CGPoint, in view: View?) {
        let current = self.translation(in: view)
        // Exact where the view is neither turned nor scaled against the screen, as it is almost always.
        let scale = vector(CGPoint(x: 1, y: 1), in: view)
        offset.x += (current.x - translation.x) / (scale.x == 0 ? 1 : scale.x)
        offset.y += (current.y - translation.y) / (scale.y == 0 ? 1 : scale.y)
    }

    /// How fast the fingers move, in points of a view's coordinates a second.
    ///
    /// It decays while the fingers rest: after a tenth of a second it is zero, also when they lift then.
    open func velocity(in view: View?) -> CGPoint { vector(track.velocity(at: velocityTime), in: view) }

    /// Takes fingers on; more than allowed is a failure before it began.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        if activeTouches.count > maximumNumberOfTouches {
            if state == .possible { return state = .failed }
            for touch in touches { ignore(touch, for: event) }
        }
        rebase(event.timestamp)
    }

    /// Follows the fingers' middle.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        let middle = activeTouches.middle
        guard let before = lastMiddle else { return rebase(event.timestamp) }
        guard activeTouches.count >= minimumNumberOfTouches else { return lastMiddle = middle }
        distance.x += middle.x - before.x
        distance.y += middle.y - before.y
        lastMiddle = middle
        track.append(distance, at: event.timestamp)
        if state == .began || state == .changed { return state = .changed }
        guard hasBegun(distance) else { return }
        offset = distance
        state = .began
    }

    /// Ends when no finger is left, and before it began fails when too few are.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) { finish(.ended) }

    /// Is cancelled when no finger is left, and before it began fails when too few are.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { finish(.cancelled) }

    /// Forgets the way.
    open override func reset() {
        super.reset()
        lastMiddle = nil
        distance = .zero
        offset = .zero
        track.removeAll()
    }

    /// Whether the fingers went far enough.
    func hasBegun(_ distance: CGPoint) -> Bool { distance.distance(to: .zero) >= Self.threshold }

    private func finish(_ end: State) {
        let left = activeTouches.filter { !$0.isOver }
        if state == .possible && left.count < minimumNumberOfTouches { return state = .failed }
        if left.isEmpty { state = end } else { lastMiddle = left.middle }
    }

    private func rebase(_ timestamp: TimeInterval) {
        lastMiddle = activeTouches.middle
        if track.isEmpty { track.append(distance, at: timestamp) }
    }

    private func vector(_ vector: CGPoint, in view: View?) -> CGPoint {
        guard let view = view ?? self.view?.window else { return vector }
        let (end, start) = (view.convertFromScreen(vector), view.convertFromScreen(.zero))
        return CGPoint(x: end.x - start.x, y: end.y - start.y)
    }
}
