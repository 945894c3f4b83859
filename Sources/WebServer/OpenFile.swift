import Glibc
import NIOCore

/// A file that is read while it is sent, so that an unread response takes no memory.
package final class OpenFile: Sendable {
    private let descriptor: Int32
    /// Its size in bytes when it was opened.
    let size: Int

    /// Opens a regular file; nil if it cannot be read.
    package init?(path: String) {
        var status = stat()
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        (self.descriptor, size) = (descriptor, status.st_size)
    }

    deinit { close(descriptor) }

    /// The bytes of a range; nil if the file has become shorter or cannot be read.
    func bytes(_ range: Range<Int>) -> ByteBuffer? {
        var buffer = ByteBuffer()
        let count = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) {
            max(pread(descriptor, $0.baseAddress, range.count, off_t(range.lowerBound)), 0)
        }
        return count > 0 ? buffer : nil
    }
}
