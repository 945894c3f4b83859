/// The identity of a device during the process's lifetime; a device that is replugged into the same port keeps it.
public struct DeviceID: Hashable, Sendable {
    /// A small number, counted from 1 in the order in which devices were first seen.
    public var rawValue: UInt32

    /// Creates an identity from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}
