import CLibsystemd
import Foundation

/// One journal entry being written: fields in one buffer that is used again for the next entry.
nonisolated struct JournalEntry {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// Forgets the fields and keeps the room they took.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Adds `NAME=value`; the name follows journald's rule: capitals, digits and underscores, not starting with one.
    mutating func add(_ name: String, _ value: String) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "="))
        bytes.append(contentsOf: value.utf8)
        ends.append(bytes.count)
    }

    /// Hands the entry to journald.
    ///
    /// - Returns: 0, or the errno with which `sd_journal_sendv` failed. Where there is no journald at all, sd_journal_sendv
    ///   answers 0 and the entry is lost.
    func send() -> Int32 {
        var fields: [iovec] = []
        fields.reserveCapacity(ends.count)
        return bytes.withUnsafeBytes { buffer in
            var start = 0
            for end in ends {
                let field = UnsafeMutableRawPointer(mutating: buffer.baseAddress?.advanced(by: start))
                fields.append(iovec(iov_base: field, iov_len: end - start))
                start = end
            }
            return -sd_journal_sendv(fields, Int32(fields.count))
        }
    }
}
