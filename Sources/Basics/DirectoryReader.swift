import CLinux
import Glibc

/// Reads the names in a folder, in no order; with `.` and `..`.
package final class DirectoryReader {
    /// The error number of readdir(3) that ended the names too early; otherwise 0.
    package private(set) var error: Int32 = 0
    private let stream: OpaquePointer

    /// Takes the stream of opendir(3) or fdopendir(3); fails if that did.
    package init?(_ stream: OpaquePointer?) {
        guard let stream else { return nil }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// The next name; nil after the last one and after an error.
    package func next() -> String? {
        errno = 0
        guard let entry = readdir(stream) else {
            error = errno
            return nil
        }
        return Self.name(of: entry)
    }

    /// The name of an entry, which need not be as long as its type: the type has room for the longest name.
    static func name(of entry: UnsafePointer<dirent>) -> String { String(cString: directory_entry_name(entry)) }
}
