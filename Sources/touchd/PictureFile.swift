import CommandSupport
import Foundation

/// Writes a picture into a file.
enum PictureFile {
    /// Writes SVG; an existing picture is replaced atomically.
    static func write(_ svg: String, to path: String) throws(UnavailableError) {
        do {
            try svg.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            let reason =
                FileManager.default.fileExists(atPath: folder)
                ? error.localizedDescription : "the folder \(folder) does not exist"
            throw UnavailableError("\(path): error: cannot be written: \(reason)")
        }
    }
}
