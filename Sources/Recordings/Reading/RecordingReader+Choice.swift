import Evdev

extension RecordingReader {
    /// Which of several devices is read, one line per device; empty for a recording with one device.
    public var choice: [String] {
        let read = device
        return devices.map { device in
            let choice = device.number == read ? "reading" : "not reading"
            return "\(choice) device \(device.number) of \(devices.count), \(device.description.name): "
                + "\(device.role.kind.rawValue), \(device.eventCount) event\(device.eventCount == 1 ? "" : "s")"
        }
    }
}
