import Synchronization

/// A named set of sources, timers and observers of a loop; a run serves one mode, and the others wait.
///
/// As with CFRunLoop's modes, an item added to `common` is in every common mode: `default` and `tracking`. A program
/// can define up to 60 modes.
public struct RunLoopMode: Hashable, Sendable, CustomStringConvertible {
    /// The bit of a mode in a mode mask; the common set has the index 63 and no bit.
    let index: UInt8

    /// The default mode of a run loop.
    public static let `default` = RunLoopMode(index: 0)
    /// The mode while a touch is down or a gesture continues.
    public static let tracking = RunLoopMode(index: 1)
    /// The set of all common modes; a run loop cannot run in it.
    public static let common = RunLoopMode(index: 63)

    private init(index: UInt8) { self.index = index }

    /// The mode with this name; modes with the same name are equal.
    public init(_ name: String) {
        self = Self.names.withLock { names in
            if let known = names.firstIndex(of: name) {
                return known == 2 ? .common : RunLoopMode(index: UInt8(known))
            }
            precondition(names.count < 63, "a program can define at most 60 run loop modes")
            names.append(name)
            return RunLoopMode(index: UInt8(names.count - 1))
        }
    }

    /// The mode's name.
    public var name: String {
        Self.names.withLock { $0[self == .common ? 2 : Int(index)] }
    }

    /// The mode's name.
    public var description: String { name }

    // The third name reserves the index of a mode that is never run, so that `init` knows the name.
    private static let names = Mutex(["default", "tracking", "common"])
}
