import Basics
import CommandSupport
import Foundation

/// The output of a recording, in whole lines: a new file, or standard output.
final class RecordingFile {
    private let path: String?
    private let descriptor: Int32

    /// Creates the file, because an existing recording must not be overwritten.
    /// - Parameter path: Nil for standard output.
    init(_ path: String?) throws(UnavailableError) {
        self.path = path
        guard let path else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor < 0 else { return }
        let number = errno
        throw UnavailableError(
            number == EEXIST
                ? "\(path) exists already and is not overwritten; choose another file name"
                : "cannot write \(path): \(ErrorText.of(number))", status: EX_CANTCREAT)
    }

    deinit { if path != nil { close(descriptor) } }

    /// Writes lines. If the disk is full, what was written of the last one is removed again.
    func write(_ lines: String) throws(UnavailableError) {
        let bytes = Array(lines.utf8)
        var count = 0
        while count < bytes.count {
            let written = bytes[count...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                count += written
            } else if errno != EINTR {
                let reason = ErrorText.of(errno)
                let whole = bytes[..<count].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
                cut(count - whole)
                throw .noOutput(path, reason)
            }
        }
    }

    /// Removes the file.
    func remove() {
        if let path { unlink(path) }
    }

    /// Removes bytes from the end of a file, not of a pipe.
    private func cut(_ count: Int) {
        let end = lseek(descriptor, 0, SEEK_CUR)
        var status = stat()
        guard count > 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == end
        else { return }
        ftruncate(descriptor, end - off_t(count))
    }
}
