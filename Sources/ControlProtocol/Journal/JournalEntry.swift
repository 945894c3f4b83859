import Foundation

/// A journal entry in systemd's "Native Journal Protocol": fields in a buffer that is reused for the next entry.
package struct JournalEntry {
    /// The path of journald's socket.
    package static let socket = "/run/systemd/journal/socket"

    /// The entry as a datagram for journald's socket.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Removes the fields and keeps the buffer's capacity.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Adds a field. The name must follow journald's rule: capitals, digits and underscores, not starting with an
    /// underscore.
    package mutating func add(_ name: String, _ value: String) {
        bytes.append(contentsOf: name.utf8)
        var value = value
        let hasLines = value.withUTF8 { text in text.baseAddress.flatMap { memchr($0, 0x0A, text.count) } != nil }
        if hasLines {
            // A multi-line value is preceded by its length: 64 bits, little-endian.
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes.append(contentsOf: value.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Clears the entry and adds touchd's common fields. `identifier` is the entry's `SYSLOG_IDENTIFIER`.
    package mutating func begin(
        message: String, priority: Int, identity: MessageID? = nil, identifier: String = "touchd"
    ) {
        removeAll()
        add("MESSAGE", message)
        if let identity { add("MESSAGE_ID", identity.rawValue) }
        add("PRIORITY", "\(priority)")
        add("SYSLOG_IDENTIFIER", identifier)
    }
}
