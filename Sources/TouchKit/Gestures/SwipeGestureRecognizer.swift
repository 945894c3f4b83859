import Foundation

/// Recognizes a quick stroke in one of some directions (`UISwipeGestureRecognizer`). Discrete.
open class SwipeGestureRecognizer: GestureRecognizer {
    /// Where a stroke may go (`UISwipeGestureRecognizer.Direction`, with its raw values).
    public struct Direction: OptionSet, Hashable, Sendable {
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

    /// The directions that count; right at first.
    public var direction: Direction = .right
    /// How many fingers it takes; 1 at first.
    public var numberOfTouchesRequired = 1

    /// How far the fingers must go, how far they may stray sideways, in points, and how long they may take, in seconds.
    ///
    /// UIKit documents none of these; 50 points, 50 points and 0.5 s are what it is known to use.
    static let shortestWay: CGFloat = 50
    static let widestStray: CGFloat = 50
    static let longestTime: TimeInterval = 0.5

    private var origins: [(touch: Touch, place: CGPoint)] = []
    private var timer: GestureTimers.Timer?

    /// A pan always recognizes before a swipe, says UIKit's "Coordinating multiple gesture recognizers".
    override var recognizesLast: Bool { true }

    /// Counts fingers; the time runs from the first.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        if origins.isEmpty {
            timer = environment?.schedule(at: event.timestamp + Self.longestTime) { [weak self] in self?.fail() }
        }
        for touch in touches.sorted(by: { $0.id < $1.id }) { origins.append((touch, touch.screenLocation)) }
        if origins.count > numberOfTouchesRequired { fail() }
    }

    /// Recognizes when all fingers went far enough, and fails when one goes astray.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        let ways = origins.map { origin in
            CGPoint(
                x: origin.touch.screenLocation.x - origin.place.x, y: origin.touch.screenLocation.y - origin.place.y)
        }
        let possible: [Direction] = [.right, .left, .up, .down].filter { direction in
            self.direction.contains(direction)
                && ways.allSatisfy { abs(Self.part($0, across: direction)) <= Self.widestStray }
        }
        if possible.isEmpty { return fail() }
        guard origins.count == numberOfTouchesRequired else { return }
        let isFarEnough = possible.contains { direction in
            ways.allSatisfy { Self.part($0, along: direction) >= Self.shortestWay }
        }
        guard isFarEnough else { return }
        timer?.cancel()
        state = .ended
    }

    /// Fails: it would have been recognized before.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) { fail() }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { fail() }

    /// Forgets the stroke.
    open override func reset() {
        super.reset()
        timer?.cancel()
        timer = nil
        origins = []
    }

    private func fail() {
        timer?.cancel()
        state = .failed
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
