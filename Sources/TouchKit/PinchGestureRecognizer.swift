import Foundation

/// Recognizes two fingers that move apart or together (`UIPinchGestureRecognizer`). Continuous.
///
/// ```swift
/// let pinch = PinchGestureRecognizer()
/// pinch.addHandler(in: [.changed]) { [unowned pinch] _ in
///     view.transform = view.transform.scaledBy(x: pinch.scale, y: pinch.scale)
///     pinch.scale = 1
/// }
/// view.addGestureRecognizer(pinch)
/// ```
@MainActor @preconcurrency open class PinchGestureRecognizer: TwoFingerGestureRecognizer {
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
