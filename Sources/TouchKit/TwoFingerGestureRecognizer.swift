import Foundation

/// The common part of pinch and rotation: two fingers, a value that they change, and its velocity.
///
/// Continuous: began when the value has changed by a threshold, then changed with every move while both fingers are
/// down, ended when both fingers have lifted.
open class TwoFingerGestureRecognizer: GestureRecognizer {
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
    fileprivate func restartRate(at value: CGFloat) {
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

/// Recognizes two fingers that move apart or together (`UIPinchGestureRecognizer`). Continuous.
open class PinchGestureRecognizer: TwoFingerGestureRecognizer {
    /// How much the distance between the fingers must change, in points. UIKit documents no value; 8 is less than a
    /// pan's 10, so a pinch begins before one of its fingers starts a pan.
    static let threshold: CGFloat = 8

    /// The distance between the fingers relative to where they landed, also when the gesture begins and while the
    /// delegate is asked whether it should; if set, relative to the value that was set.
    ///
    /// Setting it resets the velocity.
    open var scale: CGFloat = 1 {
        didSet {
            guard !isMeasuring else { return }
            if distance > 0, scale > 0 { origin = distance / scale }
            restartRate(at: scale)
        }
    }

    /// The velocity of the scale, in scale factor per second.
    open var velocity: CGFloat { rate }

    private var origin: CGFloat = 0
    private var distance: CGFloat = 0
    private var isMeasuring = false

    override func start(_ first: CGPoint, _ second: CGPoint) {
        origin = first.distance(to: second)
        distance = origin
    }

    override func measure(_ first: CGPoint, _ second: CGPoint) -> (value: CGFloat, isEnough: Bool) {
        distance = first.distance(to: second)
        isMeasuring = true
        scale = origin > 0 ? distance / origin : 1
        isMeasuring = false
        return (scale, abs(distance - origin) >= Self.threshold)
    }

    override func resume(_ first: CGPoint, _ second: CGPoint) {
        distance = first.distance(to: second)
        if scale > 0 { origin = distance / scale }
    }

    /// Clears the gesture.
    open override func reset() {
        super.reset()
        origin = 0
        distance = 0
        scale = 1
    }
}

/// Recognizes two fingers that turn around each other (`UIRotationGestureRecognizer`). Continuous.
open class RotationGestureRecognizer: TwoFingerGestureRecognizer {
    /// How far the fingers must turn, in radians. UIKit documents no value; touchd uses 0.1, about 6 degrees.
    static let threshold: CGFloat = 0.1

    /// The clockwise rotation since the fingers landed, in radians, also when the gesture begins and while the delegate
    /// is asked whether it should; if set, it continues from the value that was set.
    ///
    /// Setting it resets the velocity.
    open var rotation: CGFloat {
        get { turned }
        set {
            turned = newValue
            restartRate(at: newValue)
        }
    }

    /// The velocity of the rotation, in radians per second.
    open var velocity: CGFloat { rate }

    private var turned: CGFloat = 0
    private var angle: CGFloat = 0

    override func start(_ first: CGPoint, _ second: CGPoint) {
        angle = Self.angle(first, second)
        turned = 0
    }

    override func measure(_ first: CGPoint, _ second: CGPoint) -> (value: CGFloat, isEnough: Bool) {
        let new = Self.angle(first, second)
        // The shorter direction: fingers do not turn by more than half a circle in one frame.
        var step = new - angle
        if step > .pi { step -= 2 * .pi }
        if step < -.pi { step += 2 * .pi }
        turned += step
        angle = new
        return (turned, abs(turned) >= Self.threshold)
    }

    override func resume(_ first: CGPoint, _ second: CGPoint) { angle = Self.angle(first, second) }

    /// Clears the gesture.
    open override func reset() {
        super.reset()
        turned = 0
    }

    private static func angle(_ first: CGPoint, _ second: CGPoint) -> CGFloat {
        CGFloat(atan2(Double(second.y - first.y), Double(second.x - first.x)))
    }
}
