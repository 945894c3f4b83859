import Foundation

/// Recognizes two fingers that turn around each other (`UIRotationGestureRecognizer`). Continuous.
///
/// ```swift
/// let turn = RotationGestureRecognizer()
/// turn.addHandler(in: [.changed]) { [unowned turn] _ in
///     view.transform = view.transform.rotated(by: turn.rotation)
///     turn.rotation = 0
/// }
/// view.addGestureRecognizer(turn)
/// ```
@MainActor @preconcurrency open class RotationGestureRecognizer: TwoFingerGestureRecognizer {
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
