import Foundation

/// A folder that is there as long as a test needs it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = try FileManager.default.url(
            for: .itemReplacementDirectory, in: .userDomainMask,
            appropriateFor: FileManager.default.temporaryDirectory, create: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file into it.
    func file(_ name: String, _ text: String) throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }
}
