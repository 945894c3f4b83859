/// Writes a device and its events in evemu's text format, which `RecordingReader`, evemu and libinput's tests read.
package struct RecordingWriter: Sendable {
    private var start: Int64?

    /// Creates a writer for one recording.
    package init() {}

    /// The description of the device: the lines before the first event.
    package func header(for description: DeviceDescription) -> String {
        var lines = ["# EVEMU 1.3", "N: \(description.name)"]
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
