import Glibc

/// A file that is read at once, such as settings or a token; a pipe too.
package enum SmallFile {
    /// The bytes up to the end, or one more than a number; nil if they cannot be read.
    package static func bytes(of descriptor: Int32, atMost limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit + 1), size = 0
        while size < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: size), $0.count - size)
            }
            if count == 0 { break }
            if count < 0, errno != EINTR { return nil }
            size += max(count, 0)
        }
        return Array(bytes.prefix(size))
    }
}
