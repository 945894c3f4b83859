import Foundation
import Layout

/// The start of tests of a layout with several files: a temporary folder with a folder `parts` in it.
class LayoutFolder {
    let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder.appending(path: "parts"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}

/// The findings for a layout's text, as `touchd check` prints them.
nonisolated func findings(_ text: String) -> [String] {
    LayoutDocument.check(text: text, file: "kiosk.yaml", handlers: ["log"]).findings.map(\.description)
}
