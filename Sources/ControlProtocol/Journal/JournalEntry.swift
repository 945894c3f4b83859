import Foundation

/// One journal entry being written, as journald's native protocol has it (systemd's "Native Journal Protocol"): fields in
/// one buffer that is used again for the next entry.
package nonisolated struct JournalEntry {
    /// Where journald receives entries.
    package static let socket = "/run/systemd/journal/socket"

    /// The entry as a datagram for `/run/systemd/journal/socket`.
    package private(set) var bytes: [UInt8] = []

    /// Makes an entry without fields.
    package init() {}

    /// Forgets the fields and keeps the room they took.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Adds a field; the name follows journald's rule: capitals, digits and underscores, not starting with one.
    package mutating func add(_ name: String, _ value: String) {
        bytes.append(contentsOf: name.utf8)
        if value.utf8.contains(UInt8(ascii: "\n")) {
            // A value of several lines is preceded by its length, 64 bits, the least significant byte first.
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes.append(contentsOf: value.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds what every entry of touchd begins with; `identifier` is whose entry it is.
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
