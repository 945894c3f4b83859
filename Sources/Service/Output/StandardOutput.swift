import EventLoop
import Foundation

/// Lines on their way to standard output, written in one piece when the run loop is about to sleep.
final class StandardOutput {
    /// Written before the loop sleeps once so much has gathered, as under a replay without pauses.
    private static let capacity = 64 * 1024

    private var bytes: [UInt8] = []
    private let onEnd: (SystemError?) -> Void

    /// - Parameter onEnd: Called when nothing can be written any more: without an error where the reader went away, which
    ///   is a reader's right, and with one where the disk is full, say.
    init(onEnd: @escaping (SystemError?) -> Void) {
        self.onEnd = onEnd
        bytes.reserveCapacity(Self.capacity + 1024)
    }

    func append(line: String) {
        bytes.append(contentsOf: line.utf8)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.capacity { flush() }
    }

    func flush() {
        guard !bytes.isEmpty else { return }
        var start = 0
        while start < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                Foundation.write(STDOUT_FILENO, buffer.baseAddress?.advanced(by: start), buffer.count - start)
            }
            if written > 0 {
                start += written
                continue
            }
            let number = written == 0 ? EIO : errno
            if number == EINTR { continue }
            if number == EAGAIN {
                // Somebody made the stream non-blocking; whoever asked for text on it waits for its reader.
                var ready = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
                continue
            }
            onEnd(number == EPIPE ? nil : SystemError(call: "write to standard output", errno: number))
            break
        }
        bytes.removeAll(keepingCapacity: true)
    }
}
