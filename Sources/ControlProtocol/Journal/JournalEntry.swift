/// A journal entry in systemd's "Native Journal Protocol": fields in a buffer that is reused for the next entry. The fields
/// of touches, gestures and pages are in `TouchJournal`.
///
/// Names of fields must follow journald's rule: capitals, digits and underscores, not starting with an underscore.
package struct JournalEntry: ~Copyable {
    package static let socket = "/run/systemd/journal/socket"

    private var text = TextBuffer()
    /// Where the value of the open field starts.
    private var start = 0

    package init() {}

    /// A copy of the entry.
    package var bytes: [UInt8] { text.bytes }

    /// The entry as a datagram for journald's socket, as long as the closure runs.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { text.withBytes(body) }

    /// Clears the entry, keeps its memory, and adds touchd's common fields except the message.
    package mutating func begin(priority: Int = 6, identity: MessageID? = nil, identifier: String = "touchd") {
        text.remove()
        if let identity { add("MESSAGE_ID", identity.rawValue) }
        open("PRIORITY")
        append(priority)
        close()
        add("SYSLOG_IDENTIFIER", identifier)
    }

    /// Clears the entry and adds touchd's common fields. `identifier` is the entry's `SYSLOG_IDENTIFIER`.
    package mutating func begin(
        message: String, priority: Int, identity: MessageID? = nil, identifier: String = "touchd"
    ) {
        begin(priority: priority, identity: identity, identifier: identifier)
        add("MESSAGE", message)
    }

    package mutating func add(_ name: String, _ value: String) {
        open(name)
        append(value)
        close()
    }

    // MARK: A value of several parts

    /// Begins a field, whose value is appended until `close()`.
    package mutating func open(_ name: String) {
        text.append(name)
        text.append(UInt8(ascii: "="))
        start = text.count
    }

    package mutating func close() {
        let (start, size) = (start, text.count - start)
        if text.contains(UInt8(ascii: "\n"), from: start) {
            // A multi-line value is preceded by its length: 64 bits, little-endian.
            let value = text.bytes[start...]
            text.remove(from: start - 1)
            text.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(size).littleEndian) { text.append($0) }
            text.append(value)
        }
        text.append(UInt8(ascii: "\n"))
    }

    package mutating func append(_ part: String) { text.append(part) }

    package mutating func append(_ number: Int) {
        if number < 0 { text.append(UInt8(ascii: "-")) }
        text.append(digits: UInt64(number.magnitude))
    }

    /// Appends a position in points, with two decimals at most: finer than any panel's resolution, and short to read.
    package mutating func append(position number: Double) {
        let hundredths = (number * 100).rounded()
        guard append(hundredths, inOne: 100, places: 2) else { return text.append(number.description) }
        if Int64(hundredths) % 10 == 0 { text.remove(from: text.count - 1) }
    }

    /// Appends a time in seconds with the kernel's microseconds.
    package mutating func append(time number: Double) {
        if !append((number * 1e6).rounded(), inOne: 1_000_000, places: 6) { text.append(number.description) }
    }

    /// Appends a number that is given in parts; false for one that is not finite or too great.
    private mutating func append(_ parts: Double, inOne unit: UInt64, places: Int) -> Bool {
        guard abs(parts) < 1e15 else { return false }
        if parts < 0 { text.append(UInt8(ascii: "-")) }
        let (whole, fraction) = UInt64(abs(parts)).quotientAndRemainder(dividingBy: unit)
        text.append(digits: whole)
        text.append(UInt8(ascii: "."))
        text.append(digits: fraction, minimum: places)
        return true
    }
}
