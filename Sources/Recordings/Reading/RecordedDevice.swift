import Evdev

/// A device in a recording.
public struct RecordedDevice: Sendable, Equatable {
    /// Its number in the recording, from 1.
    public let number: Int
    /// Its description in the recording.
    public let description: DeviceDescription
    /// Its udev properties in recordings by libinput; empty for other formats.
    public let udevProperties: [String: String]
    /// The number of its events in the recording.
    public let eventCount: Int

    /// Its role.
    public var role: DeviceRole { DeviceRole(description, udevProperties: udevProperties) }

    /// The default device to read: a touchscreen with events, then any touchscreen, then another device with events;
    /// pointers before keys before devices that touchd does not use. The first of equal ones.
    static func preferred(of devices: [RecordedDevice]) -> RecordedDevice? {
        devices.min { $0.rank < $1.rank }
    }

    private var rank: Int {
        let hasEvents = eventCount > 0
        return switch role.kind {
        case .touchscreen: hasEvents ? 0 : 1
        case .mouse, .absolutePointer: hasEvents ? 2 : 5
        case _ where role.reasonIgnored == nil: hasEvents ? 3 : 6
        default: hasEvents ? 4 : 7
        }
    }

    /// Whether a number or a name, which may contain shell wildcards, matches this device.
    public func isCalled(_ text: String) -> Bool { text == "\(number)" || Pattern(text).matches(description.name) }
}

extension RecordedDevice {
    /// Reads the descriptions of a recording's devices, in order.
    static func all(in path: String) throws(RecordingError) -> [RecordedDevice] {
        var lines = try LineReader(path: path)
        var parser = RecordingParser()
        var devices: [RecordedDevice] = []
        var eventCount = 0
        func device() -> RecordedDevice {
            RecordedDevice(
                number: devices.count + 1, description: parser.description, udevProperties: parser.udevProperties,
                eventCount: eventCount)
        }
        while let event = try lines.next({ line throws(RecordingError) in try parser.read(line) }) {
            if parser.currentDevice > devices.count + 1 {
                devices.append(device())
                parser.beginCurrentDevice()
                eventCount = 0
            } else if event != nil {
                eventCount += 1
            }
        }
        try parser.finish(lines)
        devices.append(device())
        return devices
    }
}
