import Glibc

/// A journal entry in systemd's "Native Journal Protocol": fields in a buffer that is reused for the next entry.
///
/// Names of fields must follow journald's rule: capitals, digits and underscores, not starting with an underscore.
package struct JournalEntry {
    /// The path of journald's socket.
    package static let socket = "/run/systemd/journal/socket"

    /// The entry as a datagram for journald's socket.
    package private(set) var bytes: [UInt8] = []
    /// Where the value of the open field starts.
    private var start = 0

    package init() {}

    /// Clears the entry, keeps its memory, and adds touchd's common fields except the message.
    package mutating func begin(priority: Int = 6, identity: MessageID? = nil, identifier: String = "touchd") {
        bytes.removeAll(keepingCapacity: true)
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

    /// Adds a field.
    package mutating func add(_ name: String, _ value: String) {
        open(name)
        append(value)
        close()
    }

    // MARK: A value of several parts

    /// Begins a field, whose value is appended until `close()`.
    package mutating func open(_ name: String) {
        append(name)
        bytes.append(UInt8(ascii: "="))
        start = bytes.count
    }

    /// Ends the open field.
    package mutating func close() {
        let size = bytes.count - start
        let hasLines = bytes.withUnsafeBytes { text in
            text.baseAddress.map { memchr($0 + start, 0x0A, size) != nil } ?? false
        }
        if hasLines {
            // A multi-line value is preceded by its length: 64 bits, little-endian.
            bytes[start - 1] = UInt8(ascii: "\n")
            withUnsafeBytes(of: UInt64(size).littleEndian) { bytes.insert(contentsOf: $0, at: start) }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends a text to the open field.
    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Appends an integer to the open field.
    package mutating func append(_ number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        append(digits: number.magnitude, minimum: 1)
    }

    /// Appends a position in points, with two decimals at most: finer than any panel's resolution, and short to read.
    package mutating func append(position number: Double) {
        append(number, places: 2)
        if bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }

    /// Appends a time in seconds with the kernel's microseconds.
    package mutating func append(time number: Double) { append(number, places: 6) }

    private mutating func append(_ number: Double, places: Int) {
        let unit: UInt = places == 2 ? 100 : 1_000_000
        let scaled = (number * Double(unit)).rounded()
        guard abs(scaled) < 1e15 else { return append(number.description) }
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = UInt(abs(scaled)).quotientAndRemainder(dividingBy: unit)
        append(digits: whole, minimum: 1)
        bytes.append(UInt8(ascii: "."))
        append(digits: fraction, minimum: places)
    }

    private mutating func append(digits number: UInt, minimum: Int) {
        var (rest, count) = (number / 10, 1)
        while rest > 0 || count < minimum {
            rest /= 10
            count += 1
        }
        let end = bytes.count + count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: count))
        rest = number
        for place in (end - count..<end).reversed() where rest > 0 {
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
