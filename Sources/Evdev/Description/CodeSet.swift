/// The codes of one event type that a device can send: a bit set, as in the kernel's `EVIOCGBIT`.
public struct CodeSet: Sendable, Equatable {
    private var words: [UInt64] = []

    /// Creates an empty set.
    package init() {}

    /// Whether the device has this code.
    public func contains(_ code: UInt16) -> Bool {
        let word = Int(code) / 64
        return word < words.count && words[word] & (1 << UInt64(code % 64)) != 0
    }

    /// Whether the device has any of these codes.
    package func contains(anyOf codes: some Sequence<UInt16>) -> Bool {
        codes.contains { contains($0) }
    }

    /// Whether the device has all of these codes.
    package func contains(allOf codes: some Sequence<UInt16>) -> Bool {
        codes.allSatisfy { contains($0) }
    }

    /// Adds a code.
    package mutating func insert(_ code: UInt16) {
        let word = Int(code) / 64
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(code % 64)
    }

    /// Whether the device has no code of this type.
    public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// The codes in ascending order.
    public var codes: [UInt16] {
        (0..<words.count * 64).map { UInt16($0) }.filter { contains($0) }
    }

    /// Whether two sets hold the same codes.
    public static func == (left: Self, right: Self) -> Bool { left.codes == right.codes }
}
