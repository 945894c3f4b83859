import Glibc

/// The descriptors 0 to 2.
package enum StandardStreams {
    /// Opens `/dev/null` in place of those that are closed. Call it first: otherwise the next opened file takes such a
    /// number, and a handler's program gets that file as its output.
    package static func open() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // open(2) returns the lowest free number, which is this one.
            _ = Glibc.open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY)
        }
    }
}
