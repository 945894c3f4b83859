/// Writes a device and its events in evemu's text format, which `RecordingReader`, evemu and libinput's tests read.
package struct RecordingWriter: Sendable {
    private var start: Int64?

    /// Creates a writer for one recording.
    package init() {}

    /// The description of the device and what it holds: the lines before the first event.
    package func header(for description: DeviceDescription) -> String {
        var lines = ["# EVEMU 1.3"] + state(of: description) + ["N: \(description.name)"]
        let identity = [description.bus, description.vendor, description.product, description.version]
        lines.append("I: " + identity.map { hexadecimal($0, digits: 4) }.joined(separator: " "))
        lines += bits("P:", of: description.properties, count: Self.propertyCount)
        for (type, count) in Self.codeCounts {
            lines += bits("B: \(hexadecimal(type, digits: 2))", of: description[type], count: count)
        }
        for (code, axis) in description.axes.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "A: \(hexadecimal(code, digits: 2)) \(axis.minimum) \(axis.maximum) \(axis.fuzz) \(axis.flat) \(axis.resolution)"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The line of an event, with its newline; times count from the first written event.
    package mutating func line(for event: InputEvent) -> String {
        let start = self.start ?? event.time.microseconds
        self.start = start
        let (seconds, microseconds) = (event.time.microseconds - start).quotientAndRemainder(dividingBy: 1_000_000)
        return "E: \(seconds).\(padded(String(microseconds), to: 6)) \(hexadecimal(event.type, digits: 4)) "
            + "\(hexadecimal(event.code, digits: 4)) \(event.value)\n"
    }

    /// What the device holds, as comments, where it is not 0 or empty.
    ///
    /// evemu-record writes the values of axes so. It has no form for pressed keys and for slots, so the others are those
    /// of `DeviceStateComments`.
    private func state(of description: DeviceDescription) -> [String] {
        let keys = description.pressedKeys.codes.map { ($0, "State 1") }
        var axes = description.axes.filter { $0.value.value != 0 }.map { ($0.key, "Value \($0.value.value)") }
        for code in [AbsCode.trackingID] + ContactAxes.codes.map(\.code) {
            let values = description.slots.map { $0[code] }
            if values.contains(where: { $0 != SlotContent()[code] }) {
                axes.append((code, "Slots " + values.map(String.init).joined(separator: " ")))
            }
        }
        axes.sort { $0.0 < $1.0 }
        return comments(EventType.key, keys) + comments(EventType.absolute, axes)
    }

    private func comments(_ type: UInt16, _ values: [(code: UInt16, text: String)]) -> [String] {
        if values.isEmpty { return [] }
        let lines = values.flatMap { ["#     Event code \($0.code)", "#       \($0.text)"] }
        return ["#   Event type \(type)"] + lines
    }

    /// The number of bits that the kernel reserves for `INPUT_PROP_…`.
    private static let propertyCount = 32
    /// The number of codes per event type that evemu describes.
    private static let codeCounts: [(UInt16, Int)] = [
        (EventType.synchronization, 16), (EventType.key, 768), (EventType.relative, 16), (EventType.absolute, 64),
        (EventType.miscellaneous, 8), (EventType.switches, 17),
    ]

    /// A bit set as lines of eight bytes.
    private func bits(_ prefix: String, of codes: CodeSet, count: Int) -> [String] {
        var bytes = [UInt16](repeating: 0, count: (count + 63) / 64 * 8)
        for code in codes.codes where Int(code) < bytes.count * 8 { bytes[Int(code) / 8] |= 1 << (code % 8) }
        return stride(from: 0, to: bytes.count, by: 8).map { first in
            prefix + " " + bytes[first..<first + 8].map { hexadecimal($0, digits: 2) }.joined(separator: " ")
        }
    }

    private func hexadecimal(_ value: UInt16, digits: Int) -> String { padded(String(value, radix: 16), to: digits) }

    private func padded(_ text: String, to length: Int) -> String {
        String(repeating: "0", count: max(0, length - text.utf8.count)) + text
    }
}
