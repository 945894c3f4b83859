/// What a client of the control socket can be told of as it happens.
public nonisolated struct ControlTopic: OptionSet, Sendable, Hashable {
    /// One bit for each topic.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Touches that begin, end or are cancelled, and moves for those who ask for them.
    public static let touches = ControlTopic(rawValue: 1 << 0)
    /// What gesture recognizers recognize.
    public static let gestures = ControlTopic(rawValue: 1 << 1)
    /// Devices that come, go and fail.
    public static let devices = ControlTopic(rawValue: 1 << 2)
    /// Pages that are shown, and layouts that are loaded.
    public static let pages = ControlTopic(rawValue: 1 << 3)

    /// What handlers of the layout publish.
    public static let published = ControlTopic(rawValue: 1 << 4)
    /// What each touch event did, in full: for the inspector.
    public static let inspection = ControlTopic(rawValue: 1 << 5)

    /// All topics by the words of the protocol, in the order of its documentation.
    public static let byName: [(name: String, topic: ControlTopic)] = [
        ("touches", .touches), ("gestures", .gestures), ("devices", .devices), ("pages", .pages),
        ("published", .published), ("inspection", .inspection),
    ]

    /// The words of the topics in the set.
    public var names: [String] { Self.byName.filter { contains($0.topic) }.map(\.name) }
}
