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
