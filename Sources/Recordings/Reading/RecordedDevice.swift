import Evdev

/// One of the devices that a recording holds.
public struct RecordedDevice: Sendable, Equatable {
    /// Its number in the recording, from 1.
    public let number: Int
    /// What the recording says of it.
    public let description: DeviceDescription
    /// udev's properties of it, as libinput's recordings have them; empty for the others.
    public let udevProperties: [String: String]

    /// What it is.
    public var role: DeviceRole { DeviceRole(description, udevProperties: udevProperties) }

    /// Whether somebody means this device by a number or a name, which may have the wildcards of a shell.
    public func isCalled(_ text: String) -> Bool { text == "\(number)" || Pattern(text).matches(description.name) }
}
