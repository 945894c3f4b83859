/// What an element is to somebody who does not see it (`UIAccessibilityTraits`, with its raw values).
public nonisolated struct AccessibilityTraits: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt64

    /// Makes a set of traits from its bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Nothing in particular.
    public static let none: AccessibilityTraits = []
    /// A button.
    public static let button = AccessibilityTraits(rawValue: 1 << 0)
    /// A link.
    public static let link = AccessibilityTraits(rawValue: 1 << 1)
    /// A picture.
    public static let image = AccessibilityTraits(rawValue: 1 << 2)
    /// It is selected.
    public static let selected = AccessibilityTraits(rawValue: 1 << 3)
    /// Text that does not change.
    public static let staticText = AccessibilityTraits(rawValue: 1 << 6)
    /// A title.
    public static let header = AccessibilityTraits(rawValue: 1 << 16)
    /// It cannot be used now.
    public static let notEnabled = AccessibilityTraits(rawValue: 1 << 8)
    /// Its value changes often.
    public static let updatesFrequently = AccessibilityTraits(rawValue: 1 << 9)
    /// Its value can be increased and decreased.
    public static let adjustable = AccessibilityTraits(rawValue: 1 << 12)
    /// It takes the touches itself.
    public static let allowsDirectInteraction = AccessibilityTraits(rawValue: 1 << 13)
}
