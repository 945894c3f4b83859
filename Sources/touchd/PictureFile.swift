import CommandSupport
import Foundation

/// A picture on its way into a file.
enum PictureFile {
    /// Writes SVG; a picture that was there before is replaced whole.
    static func write(_ svg: String, to path: String) throws(Unavailable) {
        do {
            try svg.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            let reason =
                FileManager.default.fileExists(atPath: folder)
                ? error.localizedDescription : "there is no folder \(folder)"
            throw Unavailable("\(path): error: cannot be written: \(reason)")
        }
    }
}
