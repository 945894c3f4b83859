import Glibc

/// The signals that end a process because it writes.
package enum WriteSignals {
    /// Has such a write fail instead: with EPIPE when the reader has gone, with EFBIG at the limit of a file's size
    /// (setrlimit(2), `LimitFSIZE=`).
    package static func ignore() {
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    }
}
