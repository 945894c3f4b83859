import Basics
import ControlProtocol
import EventLoop
import Foundation
import Glibc

/// Reads the output of `journalctl -o export` or `journalctl -o json`, entry by entry in constant memory.
///
/// Fields that are not text, fields larger than a mebibyte, and fields that no report uses are left out.
package struct JournalRecordReader: ~Copyable {
    private enum Format {
        case json
        case export
    }

    private var stream: ByteStream
    private var format: Format?
    private var count = 0

    /// Opens an exported journal; `-` is standard input.
    package init(path: String) throws(JournalError) { stream = try ByteStream(path: path) }

    /// Reads from a descriptor, which stays open; `path` is its name in errors.
    package init(descriptor: Int32, path: String) { stream = ByteStream(descriptor: descriptor, path: path) }

    /// The next entry in the order of the file; nil at its end.
    package mutating func next() throws(JournalError) -> JournalRecord? {
        if format == nil, let first = try stream.peek() { format = first == UInt8(ascii: "{") ? .json : .export }
        switch format {
        case .json: return try nextJSON()
        case .export: return try nextExport()
        case nil: return nil
        }
    }

    private mutating func nextJSON() throws(JournalError) -> JournalRecord? {
        while let line = try stream.line() {
            if line.isEmpty { continue }
            guard let object = (try? JSONTree(line))?.members else {
                throw error("not a JSON object")
            }
            count += 1
            return JournalRecord(fields: object.compactMapValues(Self.text))
        }
        return nil
    }

    /// A field's text, the last one if it is repeated. A value with control characters is a list of its bytes, and one
    /// that is too large is null.
    private static func text(_ value: JSONTree) -> String? {
        guard let items = value.items, let last = items.last else { return value.string }
        if last.kind != .number { return text(last) }
        let bytes = items.compactMap { $0.number.flatMap(UInt8.init(exactly:)) }
        return bytes.count == items.count ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// Reads the format of https://systemd.io/JOURNAL_EXPORT_FORMATS: NAME=TEXT, or NAME, a 64-bit length and the
    /// bytes.
    private mutating func nextExport() throws(JournalError) -> JournalRecord? {
        var fields: [String: String] = [:]
        while let line = try stream.line() {
            if line.isEmpty {
                if fields.isEmpty { continue }
                count += 1
                return JournalRecord(fields: fields)
            }
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                let name = String(decoding: line[..<equals], as: UTF8.self)
                fields[name] = String(decoding: line[(equals + 1)...], as: UTF8.self)
            } else {
                let name = String(decoding: line, as: UTF8.self)
                fields[name] = try binaryField()
            }
        }
        count += 1
        return fields.isEmpty ? nil : JournalRecord(fields: fields)
    }

    private mutating func binaryField() throws(JournalError) -> String? {
        guard let bytes = try stream.bytes(8) else {
            throw error("the journal ends in the middle of a field; export it again")
        }
        let length = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Without a limit, a damaged length would be read into memory.
        guard length <= 1 << 30 else { throw error("a field of \(length) bytes is too long") }
        var left = Int(length)
        var text: [UInt8] = []
        while left > 0 {
            guard let piece = try stream.bytes(min(left, 1 << 16)) else {
                throw error("the journal ends in the middle of a field; export it again")
            }
            if length <= ByteStream.greatestField { text += piece }
            left -= piece.count
        }
        guard try stream.bytes(1) == [UInt8(ascii: "\n")] else { throw error("a field has the wrong length") }
        return length <= ByteStream.greatestField ? String(validating: text, as: UTF8.self) : nil
    }

    private func error(_ problem: String) -> JournalError {
        .malformed(path: stream.path, entry: count + 1, problem: problem)
    }
}

/// A file or standard input, read in pieces with constant memory.
struct ByteStream: ~Copyable {
    /// The maximum size of a field in bytes; journald refuses larger ones from programs that log to it.
    fileprivate static let greatestField = 1 << 20

    let path: String
    private let descriptor: Int32
    private let isOwner: Bool
    private var buffer = LineBuffer()

    /// Opens a file; `-` is standard input.
    init(path: String) throws(JournalError) {
        self.path = path
        isOwner = path != "-"
        descriptor = isOwner ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: ErrorText.of(errno)) }
    }

    init(descriptor: Int32, path: String) { (self.descriptor, self.path, isOwner) = (descriptor, path, false) }

    deinit { if isOwner { close(descriptor) } }

    /// The next byte without consuming it; nil at the end.
    mutating func peek() throws(JournalError) -> UInt8? {
        if buffer.count == 0 { _ = try fill() }
        return buffer.first
    }

    /// The bytes up to the next newline, without it; nil at the end. Lines longer than `greatestField` are skipped.
    mutating func line() throws(JournalError) -> ArraySlice<UInt8>? {
        var isTooLong = false
        while true {
            if let line = buffer.nextLine() {
                if !isTooLong { return line }
                isTooLong = false
                continue
            }
            if buffer.count > Self.greatestField {
                isTooLong = true
                buffer.skip(buffer.count)
            }
            if try fill() { continue }
            if isTooLong { buffer.skip(buffer.count) }
            buffer.finish()
            if !buffer.hasLine { return nil }
        }
    }

    /// The next `count` bytes; nil if fewer are left.
    mutating func bytes(_ count: Int) throws(JournalError) -> ArraySlice<UInt8>? {
        while buffer.count < count {
            guard try fill() else { return nil }
        }
        return buffer.take(count)
    }

    private mutating func fill() throws(JournalError) -> Bool {
        let count = buffer.fill(1 << 16) { [descriptor] in read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw .unreadable(path: path, reason: ErrorText.of(errno)) }
        return count > 0
    }
}
