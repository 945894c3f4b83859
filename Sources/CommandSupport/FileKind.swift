import Evdev
import Foundation
import Layout

/// The probable kind of a command's file, for the error of a command that reads another kind.
package enum FileKind: String {
    case layout, recording, journal

    /// The kind of a file by its first lines; nil if it could be anything.
    package init?(of path: String) {
        // Reading a pipe could wait.
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = try? FileHandle(forReadingFrom: URL(filePath: path)),
            let start = try? file.read(upToCount: 4096)
        else { return nil }
        let text = "\n" + String(decoding: start, as: UTF8.self)
        func has(_ marks: String...) -> Bool { marks.contains { text.contains("\n" + $0) } }
        if has("# EVEMU", "E: ", "libinput:", "Input driver version", "Event: time") {
            self = .recording
        } else if has("__CURSOR=", "__REALTIME_TIMESTAMP=") || text.contains("\"__REALTIME_TIMESTAMP\"") {
            self = .journal
        } else if has("screen:", "screens:", "views:", "include:") {
            self = .layout
        } else {
            return nil
        }
    }

    /// The message for a file of this kind where another one is needed.
    func problem(_ path: String, needed: FileKind) -> String {
        let commands =
            switch self {
            case .layout: "check it with 'touchd check \(path)'"
            case .recording: "show it with 'touchd decode \(path)', or play it with 'touchd run --replay \(path)'"
            case .journal: "read it with 'touchd report \(path)'"
            }
        let names = [FileKind.layout: "a layout", .recording: "a recording", .journal: "an exported journal"]
        return
            "\(path): error: this is \(names[self] ?? rawValue), not \(names[needed] ?? needed.rawValue); \(commands)"
    }
}

/// The error of a file's content.
package protocol FileContentError: Error {
    /// The file, and what it was read as; nil if it was not read.
    var content: (path: String, kind: FileKind)? { get }
}

extension LayoutError: FileContentError {
    package var content: (path: String, kind: FileKind)? {
        kind == .invalid ? diagnostics.first.map { ($0.location.file, .layout) } : nil
    }
}

extension RecordingError: FileContentError {
    package var content: (path: String, kind: FileKind)? {
        switch self {
        case .malformed(let path, _, _, _), .notARecording(let path), .withoutDescription(let path): (path, .recording)
        default: nil
        }
    }
}
