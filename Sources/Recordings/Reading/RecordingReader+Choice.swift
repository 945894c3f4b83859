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

extension RecordedDevice {
    /// Reads what a recording says of its devices, in their order.
    static func all(in path: String) throws(RecordingError) -> [RecordedDevice] {
        var lines = try LineReader(path: path)
        var parser = RecordingParser()
        var devices: [RecordedDevice] = []
        func device() -> RecordedDevice {
            RecordedDevice(
                number: devices.count + 1, description: parser.description, udevProperties: parser.udevProperties)
        }
        while let _ = try lines.next({ line throws(RecordingError) in try parser.read(line) }) {
            if parser.currentDevice > devices.count + 1 {
                devices.append(device())
                parser.beginCurrentDevice()
            }
        }
        devices.append(device())
        return devices
    }
}
