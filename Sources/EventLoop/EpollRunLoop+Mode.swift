import Synchronization

extension EpollRunLoop {
    /// A named set of sources, timers and observers; a run attends to one mode and leaves the others waiting.
    ///
    /// As with CFRunLoop's modes, what is added to `common` is in every mode that was declared common: `default` and
    /// `tracking` from the start, others by `addCommonMode(_:)`. A program can name up to 60 modes of its own.
    public struct Mode: Hashable, Sendable, CustomStringConvertible {
        /// Which bit of a mode mask stands for it; the common set has none, and is 63.
        let index: UInt8

        /// The mode a run loop is in when nothing else is asked.
        public static let `default` = Mode(index: 0)
        /// The mode while a touch is down or a gesture continues.
        public static let tracking = Mode(index: 1)
        /// Not a mode to run in, but the set of all common modes.
        public static let common = Mode(index: 63)

        private init(index: UInt8) { self.index = index }

        /// The mode of this name: two modes of one name are equal.
        public init(_ name: String) {
            self = Self.names.withLock { names in
                if let known = names.firstIndex(of: name) {
                    return known == 2 ? .common : Mode(index: UInt8(known))
                }
                precondition(names.count < 63, "a program can have at most 60 run loop modes of its own")
                names.append(name)
                return Mode(index: UInt8(names.count - 1))
            }
        }

        /// The mode's name.
        public var name: String {
            Self.names.withLock { $0[self == .common ? 2 : Int(index)] }
        }

        /// The mode's name.
        public var description: String { name }

        // The third name takes the place of a mode that is never run, so that the name is known to `init`.
        private static let names = Mutex(["default", "tracking", "common"])
    }
}

/// A set of modes of one loop, one bit each, so that belonging is one instruction.
struct ModeSet: OptionSet {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Every mode.
    static let all = ModeSet(rawValue: .max)

    /// The set of one mode that can be run.
    init(_ mode: EpollRunLoop.Mode) { self.rawValue = 1 << UInt64(mode.index) }
}
