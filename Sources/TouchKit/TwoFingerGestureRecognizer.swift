import Foundation

/// The common part of pinch and rotation: two fingers, a value that they change, and its velocity.
///
/// Continuous: began when the value has changed by a threshold, then changed with every move while both fingers are
/// down, ended when both fingers have lifted.
@MainActor @preconcurrency open class TwoFingerGestureRecognizer: GestureRecognizer {
    /// The x coordinate of each location is the value.
    private var track = MotionTrack()

    /// Starts measuring two fingers.
    func start(_ first: CGPoint, _ second: CGPoint) {}

    /// Continues with a new pair of fingers, one of which is new; the value continues from where it was.
    func resume(_ first: CGPoint, _ second: CGPoint) {}

    /// Measures two fingers that moved; returns the value and whether the change is enough to begin.
    func measure(_ first: CGPoint, _ second: CGPoint) -> (value: CGFloat, isEnough: Bool) { (0, false) }

    /// The change of the value per second, measured like the velocity of a pan.
    var rate: CGFloat { track.velocity(at: velocityTime).x }

    /// Restarts the velocity at a value that was set, at the time of the last move.
    func restartRate(at value: CGFloat) {
        guard let time = track.lastTime else { return }
        track.removeAll()
        track.append(CGPoint(x: value, y: 0), at: time)
    }

    /// Accepts two fingers; ignores further ones.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        for touch in activeTouches.dropFirst(2) { ignore(touch, for: event) }
        guard touches.contains(where: activeTouches.contains), let (first, second) = places else { return }
        if state == .possible { return start(first, second) }
        track.removeAll()
        resume(first, second)
    }

    /// Tracks the fingers.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        guard let (first, second) = places else { return }
        let (value, isEnough) = measure(first, second)
        track.append(CGPoint(x: value, y: 0), at: event.timestamp)
        if state == .began || state == .changed { return state = .changed }
        if isEnough { state = .began }
    }

    /// Ends when both fingers have lifted; before the gesture begins, fails when one lifts.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        if state == .possible { return state = .failed }
        if activeTouches.allSatisfy(\.isOver) { state = .ended }
    }

    /// Enters cancelled when a finger is cancelled.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .cancelled }

    override var isResetWhenPossible: Bool { true }

    /// Clears the gesture.
    open override func reset() {
        super.reset()
        track.removeAll()
    }

    private var places: (CGPoint, CGPoint)? {
        guard activeTouches.count == 2 else { return nil }
        return (activeTouches[0].screenLocation, activeTouches[1].screenLocation)
    }
}
