import CInspectorPage

/// The files of the page, which are compiled into the program.
enum PageFiles {
    /// A file.
    nonisolated struct File: Sendable {
        var type: String
        var bytes: [UInt8]
    }

    /// The file at a path; nil if the page has no such file.
    static func file(at path: String) -> File? {
        var size = 0
        guard let start = inspector_page_file(path, &size) else { return nil }
        return File(type: type(of: path), bytes: Array(UnsafeBufferPointer(start: start, count: size)))
    }

    private static func type(of path: String) -> String {
        if path.hasSuffix(".css") { return "text/css; charset=utf-8" }
        return path.hasSuffix(".js") ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8"
    }
}
