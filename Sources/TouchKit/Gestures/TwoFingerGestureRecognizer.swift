import Foundation

/// What pinch and rotation have in common: two fingers, a value that they change, and how fast they do.
///
/// Continuous: began when the value has changed by a threshold, then changed with every move while both fingers are down,
/// ended when both have lifted.
open class TwoFingerGestureRecognizer: GestureRecognizer {
    /// The value is the x of each place.
    private var track = MotionTrack()

    /// Measures two fingers that have just come together.
    func start(_ first: CGPoint, _ second: CGPoint) {}

    /// Measures two fingers of which one is new; the value goes on from where it was.
    func resume(_ first: CGPoint, _ second: CGPoint) {}

    /// Takes the value from two fingers that moved; answers it, and whether it is enough to begin.
    func measure(_ first: CGPoint, _ second: CGPoint) -> (value: CGFloat, isEnough: Bool) { (0, false) }

    /// Makes the present value that from which the gesture counts, as it has just begun.
    func begin(_ first: CGPoint, _ second: CGPoint) {}

    /// How much the value changes in a second; it decays while the fingers rest, as the velocity of a pan does.
    var rate: CGFloat { track.velocity(at: velocityTime).x }

    /// Has the rate count from a value that was set, as of the last move.
    func restartRate(at value: CGFloat) {
        guard let time = track.lastTime else { return }
        track.removeAll()
        track.append(CGPoint(x: value, y: 0), at: time)
    }

    /// Takes two fingers on; a third is not given to it.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        for touch in activeTouches.dropFirst(2) { ignore(touch, for: event) }
        guard touches.contains(where: activeTouches.contains), let (first, second) = places else { return }
        if state == .possible { return start(first, second) }
        track.removeAll()
        resume(first, second)
    }

    /// Follows the fingers.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        guard let (first, second) = places else { return }
        let (value, isEnough) = measure(first, second)
        track.append(CGPoint(x: value, y: 0), at: event.timestamp)
        if state == .began || state == .changed { return state = .changed }
        guard isEnough else { return }
        begin(first, second)
        track.removeAll()
        track.append(CGPoint(x: measure(first, second).value, y: 0), at: event.timestamp)
        state = .began
    }

    /// Ends when both fingers have lifted; before it began one is enough to fail.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        if state == .possible { return state = .failed }
        if activeTouches.allSatisfy(\.isOver) { state = .ended }
    }

    /// Is cancelled when one finger is.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .cancelled }

    /// Forgets the gesture.
    open override func reset() {
        super.reset()
        track.removeAll()
    }

    private var places: (CGPoint, CGPoint)? {
        guard activeTouches.count == 2 else { return nil }
        return (activeTouches[0].screenLocation, activeTouches[1].screenLocation)
    }
}
