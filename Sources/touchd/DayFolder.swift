import Basics
import CZlib
import CommandSupport
import Foundation

/// The folder in which days wait until they are sent: a file for each, and the name of the last one.
struct DayFolder {
    /// The maximum size of a day, and of its file: what `touchd network` sends.
    static let sizeLimit = 1 << 20, fileLimit = 64 << 10
    private static let suffix = ".json.gz"

    let path: String

    /// The days that wait, the oldest first.
    var days: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
            .filter { $0.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil }.sorted()
    }

    /// The last day that was judged.
    var last: String? {
        try? String(contentsOfFile: "\(path)/last-day", encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// Adds a day, unless nothing is known of it, and notes that it was judged.
    func add(_ day: CalendarDay, _ text: String) throws {
        let file = file(day.name), part = file + ".part"
        if !text.isEmpty {
            try? FileManager.default.removeItem(atPath: part)
            let stream = gzopen(part, "wbx9")
            let isWritten = text.withCString { gzfwrite($0, 1, text.utf8.count, stream) } == text.utf8.count
            guard gzclose(stream) == Z_OK, isWritten else { throw UnavailableError.noOutput(part) }
            let size = try FileManager.default.attributesOfItem(atPath: part)[.size] as? Int ?? 0
            if text.utf8.count <= Self.sizeLimit, size <= Self.fileLimit {
                guard rename(part, file) == 0 else { throw UnavailableError.noOutput(file, ErrorText.of(errno)) }
            } else {
                try FileManager.default.removeItem(atPath: part)
                StandardError.write(
                    line:
                        "error: \(day.name) is left out: \(text.utf8.count) bytes, or \(size) with gzip, are more than "
                        + "\(Self.sizeLimit) or \(Self.fileLimit)")
            }
        }
        try OutputOption.write(day.name + "\n", to: "\(path)/last-day")
    }

    /// Deletes the days that have waited for too long.
    func expire(before day: CalendarDay) throws {
        for old in days where old < day.name {
            try remove(old)
            StandardError.write(line: "error: \(old) is deleted, because nobody took it for \(CalendarDay.limit) days")
        }
    }

    func body(of day: String) -> [UInt8]? {
        let descriptor = open(file(day), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return SmallFile.bytes(of: descriptor, atMost: Self.fileLimit).flatMap { $0.count <= Self.fileLimit ? $0 : nil }
    }

    func remove(_ day: String) throws { try FileManager.default.removeItem(atPath: file(day)) }

    private func file(_ day: String) -> String { "\(path)/\(day)\(Self.suffix)" }

    /// Says what was done; in the journal with priority `notice` (sd-daemon(3)).
    static func note(_ text: String) { StandardError.write(text: (StandardError.isJournal ? "<5>" : "") + text + "\n") }
}
