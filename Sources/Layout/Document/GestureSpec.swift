import Foundation

/// An entry of `gestures:`.
package nonisolated struct GestureSpec: Sendable, Equatable {
    /// The kind of gesture, with the parameters of UIKit's recognizers under the layout's names.
    package enum Kind: Sendable, Equatable {
        /// `tap:`, with the pause between taps in seconds.
        case tap(taps: Int, touches: Int, pause: TimeInterval)
        /// `long-press:`, in seconds and points.
        case longPress(duration: TimeInterval, movement: CGFloat, taps: Int, touches: Int)
        /// `pan:`, with the movement that begins it, in points.
        case pan(minimumTouches: Int, maximumTouches: Int, movement: CGFloat)
        /// `edge-pan:`, from an edge of the screen; margin and movement in points.
        case edgePan(Edge, margin: CGFloat, movement: CGFloat)
        /// `swipe:`
        case swipe(Direction, touches: Int)
        /// `pinch:`
        case pinch
        /// `rotation:`
        case rotation
        /// `hover:`
        case hover
        /// `sequence:`, the ids of views to tap in this order within `duration` seconds.
        case sequence(views: [String], duration: TimeInterval)
        /// `chord:`, a number of fingers down together for `duration` seconds.
        case chord(touches: Int, duration: TimeInterval)

        /// The gesture's key in a layout.
        package var name: GestureName {
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
    package enum Edge: String, Sendable, CaseIterable { case top, left, bottom, right }
    /// The direction of a swipe.
    package enum Direction: String, Sendable, CaseIterable { case right, left, up, down }

    /// The gesture's name for other gestures and logs.
    package var id: String?
    /// The location of the entry.
    package var location = SourceLocation()
    /// The kind of gesture.
    package var kind = Kind.pinch
    /// `after-failure-of:`, the ids of gestures that must fail first (`require(toFail:)`).
    package var requiresFailureOf: [String] = []
    /// `together-with:`, the ids of gestures that may be recognized at the same time.
    package var simultaneousWith: [String] = []
    /// `cancels-touches:`, UIKit's `cancelsTouchesInView`.
    package var cancelsTouchesInView = true
    /// `cancels-forwarded:`, whether recognition cancels the touches in the program that draws.
    package var cancelsForwardedTouches = false
    /// `delays-forwarded:`, whether that program receives the touches only after the gesture has failed.
    package var delaysForwardedTouches = false
    /// Steps for the triggers `recognized`, or `began`, `changed`, `ended`, `cancelled` of a continuous gesture.
    package var on: [HandlerBinding] = []
}

/// The gestures of a layout, by their keys.
package nonisolated enum GestureName: String, Sendable, CustomStringConvertible {
    case tap
    case longPress = "long-press"
    case pan
    case edgePan = "edge-pan"
    case swipe
    case pinch
    case rotation
    case hover
    case sequence
    case chord

    /// Whether the gesture is discrete: it is recognized at one moment, without began, changed and ended.
    package var isDiscrete: Bool {
        switch self {
        case .tap, .swipe, .sequence, .chord: true
        case .longPress, .pan, .edgePan, .pinch, .rotation, .hover: false
        }
    }

    /// The key.
    package var description: String { rawValue }
}
