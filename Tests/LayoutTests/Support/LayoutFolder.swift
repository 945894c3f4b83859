import Foundation

/// What tests of a layout of several files begin with: a folder with a folder `parts` in it, both gone when the test is over.
class LayoutFolder {
    let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder.appending(path: "parts"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file, and answers its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
