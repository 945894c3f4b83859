import Foundation

/// Recognizes a quick stroke in an accepted direction (`UISwipeGestureRecognizer`). Discrete.
///
/// ```swift
/// let swipe = SwipeGestureRecognizer { _ in print("next page") }
/// swipe.direction = .left
/// view.addGestureRecognizer(swipe)
/// ```
@MainActor @preconcurrency open class SwipeGestureRecognizer: GestureRecognizer {
    /// The direction of a swipe (`UISwipeGestureRecognizer.Direction`, with its raw values).
    public nonisolated struct Direction: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes a set of directions from its bits.
        public nonisolated init(rawValue: UInt) { self.rawValue = rawValue }

        /// To the right.
        public nonisolated static let right = Direction(rawValue: 1 << 0)
        /// To the left.
        public nonisolated static let left = Direction(rawValue: 1 << 1)
        /// Upwards.
        public nonisolated static let up = Direction(rawValue: 1 << 2)
        /// Downwards.
        public nonisolated static let down = Direction(rawValue: 1 << 3)
    }

    /// The accepted directions; right by default.
    public var direction: Direction = .right
    /// The number of fingers; 1 by default.
    public var numberOfTouchesRequired = 1

    /// The minimum length and the maximum sideways movement, in points, and the maximum duration, in seconds.
    ///
    /// UIKit documents no values, only that a slow swipe must be straight and may be short, and that a fast one may be
    /// less straight but must be longer. touchd uses 50 points, 50 points and 0.5 s for slow and fast swipes alike.
    package nonisolated static let shortestWay: CGFloat = 50
    private static let widestStray: CGFloat = 50
    private static let longestTime: TimeInterval = 0.5

    private var fingers: [Touch] = []

    /// The center of the places where the fingers came down, in a view's coordinates; with nil, in the window's.
    open override func location(in view: View?) -> CGPoint {
        fingers.isEmpty ? super.location(in: view) : fingers.middle { landing(of: $0, in: view) }
    }

    /// The place where one finger came down, in a view's coordinates; with nil, in the window's.
    open override func location(ofTouch index: Int, in view: View?) -> CGPoint {
        guard fingers.indices.contains(index) else { return super.location(ofTouch: index, in: view) }
        return landing(of: fingers[index], in: view)
    }

    private func landing(of touch: Touch, in view: View?) -> CGPoint {
        guard let view = view ?? attachedView?.window else { return touch.landingLocation }
        return view.convertFromScreen(touch.landingLocation)
    }

    /// Rule: a pan always recognizes before a swipe (UIKit, "Coordinating multiple gesture recognizers").
    override var recognizesLast: Bool { true }

    /// Counts fingers; the time starts with the first.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        if fingers.isEmpty { wait(until: event.timestamp + Self.longestTime, for: .failed) }
        fingers += touches.inOrder
        if fingers.count > numberOfTouchesRequired { state = .failed }
    }

    /// Recognizes when all fingers moved far enough; fails when one moves too far sideways.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        let ways = fingers.map { touch in
            CGPoint(
                x: touch.screenLocation.x - touch.landingLocation.x, y: touch.screenLocation.y - touch.landingLocation.y
            )
        }
        let possible: [Direction] = [.right, .left, .up, .down].filter { direction in
            self.direction.contains(direction)
                && ways.allSatisfy { abs(Self.part($0, across: direction)) <= Self.widestStray }
        }
        if possible.isEmpty { return state = .failed }
        guard fingers.count == numberOfTouchesRequired else { return }
        let isFarEnough = possible.contains { direction in
            ways.allSatisfy { Self.part($0, along: direction) >= Self.shortestWay }
        }
        guard isFarEnough else { return }
        stopWaiting()
        state = .ended
    }

    /// Fails: a swipe recognizes before the fingers lift.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    override var isResetWhenPossible: Bool { true }

    /// Clears the stroke.
    open override func reset() {
        super.reset()
        fingers.removeAll(keepingCapacity: true)
    }

    private static func part(_ way: CGPoint, along direction: Direction) -> CGFloat {
        switch direction {
        case .right: way.x
        case .left: -way.x
        case .up: -way.y
        default: way.y
        }
    }

    private static func part(_ way: CGPoint, across direction: Direction) -> CGFloat {
        direction == .right || direction == .left ? way.y : way.x
    }
}
