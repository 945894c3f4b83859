import CLibevdev
import CLinux
import Evdev

/// What other programs write of a device and its events.
enum RecordingTools {
    /// As evemu-record 2.7: the axes' values at its start are in comments, those of slots are 0.
    static func evemu(_ description: DeviceDescription, _ events: [InputEvent]) -> String {
        var text = "# EVEMU 1.3\n# Kernel: 6.1.0\n# Input device name: \"\(description.name)\"\n# Supported events:\n"
        text += supported(description, indent: "#   ", value: "#       Value   ")
        text += "# Properties:\n"
        // The lines N: to A: are as touchd's own.
        let lines = RecordingWriter().header(for: description).split(separator: "\n")
        text += lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n") + "\n"
        text += "################################\n#      Waiting for events      #\n################################\n"
        let start = (events.first?.time.microseconds ?? 0) - 1
        for event in events {
            let time = event.time.microseconds - start
            text += "E: \(time / 1_000_000).\(digits(time % 1_000_000, 6)) \(digits(event.type, 4, base: 16)) "
            text += "\(digits(event.code, 4, base: 16)) \(digits(event.value, 4))\t# comment \(event.value)\n"
        }
        return text
    }

    /// As libinput record 1.22.
    static func libinput(_ description: DeviceDescription, _ events: [InputEvent]) -> String {
        var text = """
            # libinput record
            version: 1
            ndevices: 1
            libinput:
              version: "1.22.1"
            system:
              kernel: "6.1.0"
            devices:
            - node: /dev/input/event0
              evdev:
                # Name: \(description.name)
                # Supported Events:

            """
        text += supported(description, indent: "    # ", value: "    #       Value  ")
        text += "    name: \"\(description.name)\"\n"
        let id = [description.bus, description.vendor, description.product, description.version]
        text += "    id: \(id)\n    codes:\n"
        for type in types where !description[type].isEmpty { text += "      \(type): \(description[type].codes)\n" }
        text += "    absinfo:\n"
        for (code, axis) in description.axes.sorted(by: { $0.key < $1.key }) {
            let fields = [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
            text += "      \(code): \(fields)\n"
        }
        text += "    properties: \(description.properties.codes)\n  hid: []\n  udev:\n    properties:\n"
        text += "  quirks:\n  events:\n"
        var isFirst = true
        let start = events.first?.time.microseconds ?? 0
        for event in events {
            if isFirst { text += "  - evdev:\n" }
            isFirst = event.type == EventType.synchronization && event.code == SynCode.report
            let time = event.time.microseconds - start
            text += "    - [ \(time / 1_000_000), \(time % 1_000_000), \(event.type), \(event.code), \(event.value)]\n"
        }
        return text
    }

    private static let types: [UInt16] = [
        EventType.synchronization, EventType.key, EventType.relative, EventType.absolute, EventType.miscellaneous,
    ]

    private static func supported(_ description: DeviceDescription, indent: String, value: String) -> String {
        var text = ""
        for type in types where !description[type].isEmpty {
            text += "\(indent)Event type \(type)\n"
            for code in description[type].codes {
                text += "\(indent)  Event code \(code)\n"
                guard type == EventType.absolute, let axis = description.axes[code] else { continue }
                text += "\(value) \(axis.value)\n"
                text += "\(value.replacing("Value", with: "Min")) \(axis.minimum)\n"
            }
        }
        return text
    }

    private static func digits(_ number: some FixedWidthInteger, _ count: Int, base: Int = 10) -> String {
        let text = String(number.magnitude, radix: base)
        let zeros = String(repeating: "0", count: max(0, count - text.count - (number < 0 ? 1 : 0)))
        return (number < 0 ? "-" : "") + zeros + text
    }
}
