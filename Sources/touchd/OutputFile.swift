import CommandSupport
import Foundation

/// Writes the file that an option names.
enum OutputFile {
    /// Writes a text to a temporary file in the same folder and renames it, so that readers never see a part of it.
    static func write(_ text: String, to path: String) throws(UnavailableError) {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            let reason =
                FileManager.default.fileExists(atPath: folder)
                ? error.localizedDescription : "the folder \(folder) does not exist"
            throw UnavailableError("\(path): error: cannot be written: \(reason)")
        }
    }
}
