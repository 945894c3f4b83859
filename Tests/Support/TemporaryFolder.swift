import Foundation

/// A folder that exists as long as a test needs it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        // Short, because tests create local sockets in it.
        url = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file into it.
    func file(_ name: String, _ text: String) throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }
}
