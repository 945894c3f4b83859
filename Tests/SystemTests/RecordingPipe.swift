import Foundation

@testable import TestSupport

/// A recording that a test plays in pieces, for `touchd run --replay -` at maximum speed. Its clock stands still between them, so nothing
/// depends on the time that anybody takes.
final class RecordingPipe {
    let pipe = Pipe()
    /// The events that have not been played.
    private var events: ArraySlice<(time: Double, line: String)>

    /// Plays a recording's description.
    ///
    /// - Parameters:
    ///   - file: A compressed recording in evemu's format.
    ///   - delay: Seconds until it begins, for other events before.
    init(_ file: URL, delay: Double = 0) throws {
        let text = try TouchdProgram.run(["-dc", file.path], program: "/bin/gzip").lines
        events =
            text.compactMap { line in
                let words = line.split(separator: " ")
                guard words.count == 5, words[0] == "E:", let time = Double(words[1]) else { return nil }
                return (time + delay, words[2...].joined(separator: " "))
            }[...]
        for line in text where !line.hasPrefix("E:") { try write(line) }
    }

    /// Plays the events up to a time, and what is due until then.
    func play(until time: Double) throws {
        while let next = events.first, next.time <= time + 1e-6 {
            try play(next.time, next.line)
            events.removeFirst()
        }
        try frame(time)
    }

    /// Puts a finger down at a point of the panel.
    func putDown(at x: Int, _ y: Int, time: Double) throws {
        for line in ["0003 002f 0", "0003 0039 9999", "0003 0035 \(x)", "0003 0036 \(y)", "0001 014a 1"] {
            try play(time, line)
        }
        try frame(time)
    }

    func lift(time: Double) throws {
        for line in ["0003 002f 0", "0003 0039 -1", "0001 014a 0"] { try play(time, line) }
        try frame(time)
    }

    private func frame(_ time: Double) throws { try play(time, "0000 0000 0") }
    private func play(_ time: Double, _ line: String) throws { try write(String(format: "E: %.6f ", time) + line) }
    private func write(_ line: String) throws {
        try pipe.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }
}
