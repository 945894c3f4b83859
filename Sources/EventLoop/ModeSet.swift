/// A set of modes of one loop, one bit each, so that a membership test is one instruction.
struct ModeSet: OptionSet {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The common modes.
    static let common: ModeSet = [ModeSet(.default), ModeSet(.tracking)]

    /// Every mode.
    static let all = ModeSet(rawValue: .max)

    /// The set that contains one mode, or all common modes.
    @inline(__always)
    init(_ mode: RunLoopMode) { self = mode == .common ? .common : ModeSet(rawValue: 1 << UInt64(mode.index)) }
}
