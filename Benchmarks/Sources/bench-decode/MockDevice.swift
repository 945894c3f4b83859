import CLinux
import Evdev

/// A described device for umockdev: sysfs attributes and udev properties, and the answers to libevdev's ioctls.
struct MockDevice {
    let description: DeviceDescription
    /// The number of the event node.
    let number: Int
    /// Its path in the test bed's sysfs.
    var systemPath: String { "/sys/devices/virtual/input/input\(number)/event\(number)" }
    var path: String { "/dev/input/event\(number)" }

    /// umockdev's description of the node and of the input device above it.
    var text: String {
        let kind = DeviceRole(description).kind
        let property: String? =
            switch kind {
            case .touchscreen: "ID_INPUT_TOUCHSCREEN"
            case .touchpad: "ID_INPUT_TOUCHPAD"
            case .tablet: "ID_INPUT_TABLET"
            case .joystick: "ID_INPUT_JOYSTICK"
            case .accelerometer: "ID_INPUT_ACCELEROMETER"
            case .mouse, .absolutePointer: "ID_INPUT_MOUSE"
            case .keyboard: "ID_INPUT_KEYBOARD"
            case .keys: "ID_INPUT_KEY"
            case .other: nil
            }
        let udev = "E: ID_INPUT=1\n" + (property.map { "E: \($0)=1\n" } ?? "")
        let parent = "/devices/virtual/input/input\(number)"
        return """
            P: \(parent)/event\(number)
            N: input/event\(number)
            E: DEVNAME=\(path)
            \(udev)E: MAJOR=13
            E: MINOR=\(64 + number)
            E: SUBSYSTEM=input
            A: dev=13:\(64 + number)
            L: device=../../input\(number)

            P: \(parent)
            E: NAME="\(description.name)"
            \(udev)E: SUBSYSTEM=input
            A: name=\(description.name)

            """
    }

    /// The answers, one line per ioctl; umockdev answers only a request of exactly the given size, which is libevdev's.
    var ioctls: String {
        var lines = ["@DEV \(path)", "EVIOCGVERSION 0 01000100"]
        lines.append(
            "EVIOCGID 0 " + [description.bus, description.vendor, description.product, description.version].hex)
        for (name, text) in [
            ("NAME", description.name), ("PHYS", description.physicalPath), ("UNIQ", description.uniqueName),
        ] {
            let bytes = Array(text.utf8.prefix(254)) + [0]
            lines.append("EVIOCG\(name)(0) \(bytes.count) " + bytes.padded(to: 255).hex)
        }
        lines.append("EVIOCGPROP(0) 8 " + bits(description.properties, size: 8).hex)
        var types = CodeSet()
        // umockdev cannot answer EVIOCGREP, without which libevdev rejects a device that repeats keys.
        for type in UInt16(0)...UInt16(EV_MAX) where type != UInt16(EV_REP) && !description[type].isEmpty {
            types.insert(type)
        }
        lines.append("EVIOCGBIT(0) 8 " + bits(types, size: 8).hex)
        for (type, size) in [
            (EV_KEY, 96), (EV_REL, 8), (EV_ABS, 8), (EV_MSC, 8), (EV_SW, 8), (EV_LED, 8), (EV_SND, 8), (EV_FF, 16),
        ] {
            lines.append("EVIOCGBIT(\(type)) \(size) " + bits(description[UInt16(type)], size: size).hex)
        }
        for (name, size) in [("KEY", 96), ("LED", 8), ("SW", 8)] {
            lines.append("EVIOCG\(name)(0) \(size) " + [UInt8](repeating: 0, count: size).hex)
        }
        for (code, axis) in description.axes.sorted(by: { $0.key < $1.key }) {
            let values = [axis.value, axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
            lines.append("EVIOCGABS(\(code)) 0 " + values.hex)
        }
        if let slot = description.axes[UInt16(ABS_MT_SLOT)], slot.maximum >= 0 {
            for code in description.axes.keys.sorted() where code > UInt16(ABS_MT_SLOT) {
                let empty = [Int32](
                    repeating: code == UInt16(ABS_MT_TRACKING_ID) ? -1 : 0, count: Int(slot.maximum) + 1)
                lines.append("EVIOCGMTSLOTS(0) 0 " + [Int32(code)].hex + empty.hex)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func bits(_ codes: CodeSet, size: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        for code in codes.codes where Int(code) / 8 < size { bytes[Int(code) / 8] |= 1 << (code % 8) }
        return bytes
    }
}

extension Array where Element: FixedWidthInteger {
    /// The bytes as they are in memory, in hexadecimal.
    var hex: String {
        withUnsafeBytes { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        }
    }

    func padded(to count: Int) -> [Element] { self + [Element](repeating: 0, count: Swift.max(0, count - self.count)) }
}
