import EventLoop
import Glibc

/// Replaces a file in one step: readers see the old or the new text, even after a power failure.
nonisolated enum DurableFile {
    /// Writes a text to `PATH.part`, syncs it and renames it; returns the error, if any.
    ///
    /// Blocks on the disk, so it is called on a separate thread.
    static func write(_ text: String, to path: String, mode: mode_t) -> SystemError? {
        // Not a random name: a file left by a power failure is removed. The name does not end in .prom, because
        // node_exporter reads all files that do.
        let part = "\(path).part"
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return SystemError(call: "open(\(part))", errno: errno) }
        // The collector runs as another user, so the mode must not depend on the umask.
        fchmod(descriptor, mode)
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { break }
            bytes = bytes.dropFirst(written)
        }
        var failure = bytes.isEmpty ? nil : SystemError(call: "write(\(part))", errno: errno)
        // Without fsync, a file system may store the rename before the text, which leaves an empty file after a power
        // failure.
        if failure == nil, fsync(descriptor) != 0 { failure = SystemError(call: "fsync(\(part))", errno: errno) }
        close(descriptor)
        if failure == nil, rename(part, path) != 0 { failure = SystemError(call: "rename(\(part))", errno: errno) }
        if failure != nil { unlink(part) }
        return failure
    }
}
