import Foundation

/// A folder that exists as long as a test needs it.
final class TemporaryFolder {
    let url: URL
    private let isKept: Bool

    /// - Parameter kept: A folder that outlasts this object.
    init(keeping kept: URL? = nil) throws {
        // Short, because tests create local sockets in it.
        url = kept ?? FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))")
        isKept = kept != nil
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { if !isKept { try? FileManager.default.removeItem(at: url) } }

    /// Writes a file into it.
    func file(_ name: String, _ text: String) throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }
}
