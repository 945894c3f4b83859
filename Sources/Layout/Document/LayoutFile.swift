import Foundation

/// A layout file's text: opened once, found to be a regular file of a sane size, and read from that one descriptor.
nonisolated struct LayoutFile {
    /// Far above any layout a person writes, and small enough to be read at once.
    static let sizeLimit = 16 * 1024 * 1024

    /// What the file holds.
    let text: String

    /// Reads the file at a path.
    init(path: String) throws(LayoutError) {
        let location = SourceLocation(file: path)
        // O_NONBLOCK: opening a FIFO must not wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw LayoutError(.unreadable, [Diagnostic(.error, at: location, "cannot open the layout: \(reason)")])
        }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw LayoutError(
                .unreadable,
                [
                    Diagnostic(
                        .error, at: location, "not a regular file; a layout is a YAML file that can be read to its end")
                ])
        }
        guard status.st_size <= Self.sizeLimit else {
            throw LayoutError(
                .invalid,
                [
                    Diagnostic(
                        .error, at: location,
                        "the file has \(status.st_size) bytes, and a layout may have at most \(Self.sizeLimit)")
                ])
        }

        let data: Data
        do {
            data =
                try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).read(upToCount: Self.sizeLimit)
                ?? Data()
        } catch {
            throw LayoutError(.unreadable, [Diagnostic(.error, at: location, "cannot read the layout: \(error)")])
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw LayoutError(.invalid, [Self.notUTF8(data, path: path)])
        }
        self.text = text
    }

    private static func notUTF8(_ data: Data, path: String) -> Diagnostic {
        var location = SourceLocation(file: path)
        var decoder = UTF8()
        var bytes = data.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&bytes) {
            if scalar == "\n" {
                location.line += 1
                location.column = 1
            } else {
                location.column += 1
            }
        }
        return Diagnostic(.error, at: location, "the file is not UTF-8 here; save it with that encoding")
    }
}
