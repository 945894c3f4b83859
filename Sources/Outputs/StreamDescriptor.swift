import Foundation

/// Writes to a standard stream without blocking and without changing it for other processes that share it.
///
/// `O_NONBLOCK` belongs to an open file description, which touchd shares with the shell that started it. So a pipe or a
/// terminal is reopened through /proc/self/fd (proc(5)) if permitted. A socket is written with `MSG_DONTWAIT`.
/// Otherwise the stream is polled before each piece of at most `PIPE_BUF` bytes, which a pipe accepts whole (pipe(7)).
/// Regular files are written directly: they are never full in this sense.
nonisolated final class StreamDescriptor {
    /// The result of a write.
    enum Outcome {
        case wrote(Int)
        case full
        /// The error number.
        case failed(Int32)
    }

    private enum Kind {
        case file, reopened, socket, shared
    }

    /// The descriptor to write to and to watch.
    let number: Int32
    /// The stream's name for messages.
    let name: String
    private let kind: Kind

    init(_ descriptor: Int32) {
        name = descriptor == STDERR_FILENO ? "standard error" : "standard output"
        var information = stat()
        let isOpen = fstat(descriptor, &information) == 0
        switch information.st_mode & S_IFMT {
        case S_IFSOCK where isOpen:
            (number, kind) = (descriptor, .socket)
        case S_IFIFO where isOpen, S_IFCHR where isOpen:
            let reopened = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            (number, kind) = reopened >= 0 ? (reopened, .reopened) : (descriptor, .shared)
        default:
            (number, kind) = (descriptor, .file)
        }
    }

    deinit {
        if kind == .reopened { close(number) }
    }

    /// Writes as many bytes as there is room for.
    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        while true {
            var written: Int
            switch kind {
            case .file, .reopened:
                written = Foundation.write(number, bytes.baseAddress, bytes.count)
            case .socket:
                written = send(number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            case .shared:
                var room = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                if poll(&room, 1, 0) == 0 { return .full }
                written = Foundation.write(number, bytes.baseAddress, min(bytes.count, Int(PIPE_BUF)))
            }
            if written > 0 { return .wrote(written) }
            let failure = written == 0 ? EIO : errno
            if failure == EAGAIN { return .full }
            if failure != EINTR { return .failed(failure) }
        }
    }

    /// Waits until there is room, at most `milliseconds`; -1 waits without a limit.
    func waitForRoom(milliseconds: Int32) {
        var room = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, milliseconds)
    }
}
