import Foundation

/// One entry of `gestures:`.
public nonisolated struct GestureSpec: Sendable, Equatable {
    /// What is recognized, with the parameters of UIKit's recognizers under the layout's names.
    public enum Kind: Sendable, Equatable {
        /// `tap:`
        case tap(taps: Int, touches: Int)
        /// `long-press:`, seconds and points.
        case longPress(duration: TimeInterval, movement: CGFloat, taps: Int, touches: Int)
        /// `pan:`
        case pan(minimumTouches: Int, maximumTouches: Int)
        /// `edge-pan:`, from one of the screen's edges.
        case edgePan(Edge)
        /// `swipe:`
        case swipe(Direction, touches: Int)
        /// `pinch:`
        case pinch
        /// `rotation:`
        case rotation
        /// `hover:`
        case hover
        /// `sequence:`, the ids of views to be tapped in this order, all within so many seconds.
        case sequence(views: [String], duration: TimeInterval)
        /// `chord:`, so many fingers down together for so many seconds.
        case chord(touches: Int, duration: TimeInterval)

        /// The key by which a layout names the gesture.
        public var word: GestureWord {
            switch self {
            case .tap: .tap
            case .longPress: .longPress
            case .pan: .pan
            case .edgePan: .edgePan
            case .swipe: .swipe
            case .pinch: .pinch
            case .rotation: .rotation
            case .hover: .hover
            case .sequence: .sequence
            case .chord: .chord
            }
        }
    }

    /// An edge of the screen.
    public enum Edge: String, Sendable, CaseIterable { case top, left, bottom, right }
    /// A way a finger goes.
    public enum Direction: String, Sendable, CaseIterable { case right, left, up, down }

    /// The name by which other gestures and the logs know it.
    public var id: String?
    /// Where the entry begins.
    public var location: SourceLocation
    /// What is recognized.
    public var kind: Kind
    /// `after-failure-of:`, the ids of gestures that have to fail first (`require(toFail:)`).
    public var requiresFailureOf: [String] = []
    /// `together-with:`, the ids of gestures that may be recognized at the same time.
    public var simultaneousWith: [String] = []
    /// `cancels-touches:`, UIKit's `cancelsTouchesInView`.
    public var cancelsTouchesInView = true
    /// Handlers with the triggers `recognized`, or `began`, `changed`, `ended`, `cancelled` of a continuous gesture.
    public var on: [HandlerBinding]
}
