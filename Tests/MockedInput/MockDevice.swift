import Evdev

/// A described device for umockdev: sysfs attributes and udev properties.
package struct MockDevice {
    package let description: DeviceDescription
    /// The number of the event node.
    package let number: Int

    package init(description: DeviceDescription, number: Int) {
        self.description = description
        self.number = number
    }

    /// Its path in the test bed's sysfs.
    var systemPath: String { "/sys/devices/virtual/input/input\(number)/event\(number)" }
    package var path: String { "/dev/input/event\(number)" }

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
            case .headphones: "ID_INPUT_SWITCH"
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
}
