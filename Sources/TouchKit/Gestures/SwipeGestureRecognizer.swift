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
    /// UIKit documents no number for any of these, only that a slow swipe must be straight and may be short, and a fast one
    /// the other way round. 50 points, 50 points and 0.5 s are touchd's own, the same for slow and fast.
    static let shortestWay: CGFloat = 50
    static let widestStray: CGFloat = 50
    static let longestTime: TimeInterval = 0.5

    @exclusivity(unchecked) private var origins = FingerOrigins()

    /// The middle of the places where the fingers came down, in a view's coordinates; with nil, in the window's.
    open override func location(in view: View?) -> CGPoint {
        let places = origins.fingers.map { place($0.place, in: view) }
        guard !places.isEmpty else { return super.location(in: view) }
        return CGPoint(
            x: places.map(\.x).reduce(0, +) / CGFloat(places.count),
            y: places.map(\.y).reduce(0, +) / CGFloat(places.count))
    }

    /// Where one of the fingers came down, in a view's coordinates; with nil, in the window's.
    open override func location(ofTouch index: Int, in view: View?) -> CGPoint {
        guard origins.fingers.indices.contains(index) else { return super.location(ofTouch: index, in: view) }
        return place(origins.fingers[index].place, in: view)
    }

    private func place(_ point: CGPoint, in view: View?) -> CGPoint {
        guard let view = view ?? self.view?.window else { return point }
        return view.convertFromScreen(point)
    }

    /// A pan always recognizes before a swipe, says UIKit's "Coordinating multiple gesture recognizers".
    override var recognizesLast: Bool { true }

    /// Counts fingers; the time runs from the first.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        if origins.isEmpty {
            wait(until: event.timestamp + Self.longestTime) { [unowned self] in state = .failed }
        }
        origins.add(touches)
        if origins.count > numberOfTouchesRequired { state = .failed }
    }

    /// Recognizes when all fingers went far enough, and fails when one goes astray.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        let ways = origins.fingers.map { origin in
            CGPoint(
                x: origin.touch.screenLocation.x - origin.place.x, y: origin.touch.screenLocation.y - origin.place.y)
        }
        let possible: [Direction] = [.right, .left, .up, .down].filter { direction in
            self.direction.contains(direction)
                && ways.allSatisfy { abs(Self.part($0, across: direction)) <= Self.widestStray }
        }
        if possible.isEmpty { return state = .failed }
        guard origins.count == numberOfTouchesRequired else { return }
        let isFarEnough = possible.contains { direction in
            ways.allSatisfy { Self.part($0, along: direction) >= Self.shortestWay }
        }
        guard isFarEnough else { return }
        stopWaiting()
        state = .ended
    }

    /// Fails: it would have been recognized before.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Forgets the stroke.
    open override func reset() {
        super.reset()
        origins.removeAll()
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
