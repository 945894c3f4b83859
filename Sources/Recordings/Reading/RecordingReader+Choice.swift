import Evdev

extension RecordingReader {
    /// Says, a line a device, which of several is read; empty for a recording of one.
    public var choice: [String] {
        let read = device
        return devices.map { device in
            let remark = device.role.reasonIgnored.map { " (\($0))" } ?? ""
            let choice = device.number == read ? "reading" : "not reading"
            return "\(choice) device \(device.number) of \(devices.count), \(device.description.name)\(remark)"
        }
    }
}
