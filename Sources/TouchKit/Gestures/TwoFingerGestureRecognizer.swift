import Foundation

/// What pinch and rotation have in common: two fingers, a value that they change, and how fast they do.
///
/// Continuous: began when the value has changed by a threshold, ended when one finger lifts.
open class TwoFingerGestureRecognizer: GestureRecognizer {
    /// How far back the velocity looks, in seconds; as a pan's.
    static let memory: TimeInterval = 0.1

    private var track: [(time: TimeInterval, value: CGFloat)] = []

    override init() { super.init() }

    /// Measures two fingers that have just come together.
    func start(_ first: CGPoint, _ second: CGPoint) {}

    /// Takes the value from two fingers that moved; answers it, and whether it is enough to begin.
    func measure(_ first: CGPoint, _ second: CGPoint) -> (value: CGFloat, isEnough: Bool) { (0, false) }

    /// Makes the present value that from which the gesture counts, as it has just begun.
    func begin(_ first: CGPoint, _ second: CGPoint) {}

    /// How fast the value changes, a second.
    var rate: CGFloat {
        guard let first = track.first, let last = track.last, last.time > first.time else { return 0 }
        return (last.value - first.value) / (last.time - first.time)
    }

    /// Takes two fingers on; a third is not given to it.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        for touch in activeTouches.dropFirst(2) { ignore(touch, for: event) }
        guard activeTouches.count == 2, let (first, second) = places else { return }
        start(first, second)
    }

    /// Follows the fingers.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        guard let (first, second) = places else { return }
        let (value, isEnough) = measure(first, second)
        track.removeAll { $0.time < event.timestamp - Self.memory }
        track.append((event.timestamp, value))
        if state == .began || state == .changed { return state = .changed }
        guard isEnough else { return }
        begin(first, second)
        track.removeAll(keepingCapacity: true)
        track.append((event.timestamp, measure(first, second).value))
        state = .began
    }

    /// Ends when one finger lifts.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        if state == .possible { state = .failed } else { state = .ended }
    }

    /// Is cancelled when one finger is.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .cancelled }

    /// Forgets the gesture.
    open override func reset() {
        super.reset()
        track.removeAll(keepingCapacity: true)
    }

    private var places: (CGPoint, CGPoint)? {
        guard activeTouches.count == 2 else { return nil }
        return (activeTouches[0].screenLocation, activeTouches[1].screenLocation)
    }
}

/// Recognizes two fingers that move apart or together (`UIPinchGestureRecognizer`). Continuous.
open class PinchGestureRecognizer: TwoFingerGestureRecognizer {
    /// How much the fingers' distance must change, in points. UIKit documents no number; 8 is less than a pan's 10, so
    /// that fingers moving apart pinch before one of them pans.
    static let threshold: CGFloat = 8

    /// How far the fingers are apart, as a multiple of where the gesture began; may be set, and then counts from there.
    open var scale: CGFloat = 1 {
        didSet { if !isMeasuring, distance > 0, scale > 0 { origin = distance / scale } }
    }

    /// How fast the scale changes, a second.
    open var velocity: CGFloat { rate }

    private var origin: CGFloat = 0
    private var distance: CGFloat = 0
    private var isMeasuring = false

    /// Makes a recognizer without an action.
    public override init() { super.init() }

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

    override func begin(_ first: CGPoint, _ second: CGPoint) { start(first, second) }

    /// Forgets the gesture.
    open override func reset() {
        super.reset()
        origin = 0
        distance = 0
        scale = 1
    }
}

/// Recognizes two fingers that turn around each other (`UIRotationGestureRecognizer`). Continuous.
open class RotationGestureRecognizer: TwoFingerGestureRecognizer {
    /// How far the fingers must turn, in radians. UIKit documents no number; 0.1 is some 6 degrees.
    static let threshold: CGFloat = 0.1

    /// How far the fingers turned since the gesture began, in radians, clockwise; may be set, and then counts from there.
    open var rotation: CGFloat = 0

    /// How fast they turn, in radians a second.
    open var velocity: CGFloat { rate }

    private var angle: CGFloat = 0

    /// Makes a recognizer without an action.
    public override init() { super.init() }

    override func start(_ first: CGPoint, _ second: CGPoint) {
        angle = Self.angle(first, second)
        rotation = 0
    }

    override func measure(_ first: CGPoint, _ second: CGPoint) -> (value: CGFloat, isEnough: Bool) {
        let new = Self.angle(first, second)
        // The shorter way round: fingers do not turn by more than half a circle in one frame.
        var step = new - angle
        if step > .pi { step -= 2 * .pi }
        if step < -.pi { step += 2 * .pi }
        rotation += step
        angle = new
        return (rotation, abs(rotation) >= Self.threshold)
    }

    override func begin(_ first: CGPoint, _ second: CGPoint) { start(first, second) }

    /// Forgets the gesture.
    open override func reset() {
        super.reset()
        rotation = 0
    }

    private static func angle(_ first: CGPoint, _ second: CGPoint) -> CGFloat {
        CGFloat(atan2(Double(second.y - first.y), Double(second.x - first.x)))
    }
}
