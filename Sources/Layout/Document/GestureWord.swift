/// The gestures a layout can have, by the keys that name them.
public nonisolated enum GestureWord: String, Sendable, CaseIterable, CustomStringConvertible {
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

    /// The keys of what can be said of it.
    var parameters: [String] {
        switch self {
        case .tap: ["taps", "touches"]
        case .longPress: ["duration", "movement", "taps", "touches"]
        case .pan: ["minimum-touches", "maximum-touches"]
        case .edgePan: ["edge"]
        case .swipe: ["direction", "touches"]
        case .pinch, .rotation, .hover: []
        case .sequence: ["views", "within"]
        case .chord: ["touches", "duration"]
        }
    }

    /// Whether it is recognized in one moment, and does not begin, change and end.
    public var isDiscrete: Bool {
        switch self {
        case .tap, .swipe, .sequence, .chord: true
        case .longPress, .pan, .edgePan, .pinch, .rotation, .hover: false
        }
    }

    /// The key.
    public var description: String { rawValue }
}
