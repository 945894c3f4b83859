import CLinux
import Glibc

/// Owns a nonblocking datagram socket that sends to one local address.
///
/// The socket is connected, because `EPOLLOUT` reflects room in the receiver's queue only then (unix_dgram_poll in the
/// kernel's net/unix/af_unix.c); an unconnected socket is always writable. If the receiver is replaced at the same
/// path, the socket reconnects.
package final class DatagramSender {
    /// The result of a send.
    package enum Outcome: Equatable {
        case sent
        /// The receiver's queue or this socket's send buffer is full.
        case full
        /// No process receives at the path; with the error number.
        case absent(Int32)
        /// The datagram exceeds the kernel's limit.
        case tooLong
    }

    /// The socket, for a `DescriptorSource` that waits for room.
    package let descriptor: Int32

    private let path: String
    private var isConnected = false

    /// Creates a socket; it is not connected yet.
    ///
    /// - Parameters:
    ///   - path: The receiver's path; a leading `@` means a name in the abstract namespace (unix(7)).
    ///   - bufferSize: The size of the send buffer in bytes, which also limits a datagram's length; capped by
    ///     net.core.wmem_max. The default is libsystemd's.
    package init(path: String, bufferSize: Int32 = 8 * 1024 * 1024) throws(SystemError) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        if descriptor < 0 { throw SystemError(call: "socket(AF_UNIX, SOCK_DGRAM)", errno: errno) }
        var size = bufferSize
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Sends a datagram if there is room.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        attempt { Glibc.send(descriptor, bytes.baseAddress, bytes.count, Self.flags) }
    }

    /// Sends a descriptor without data (unix(7), `SCM_RIGHTS`); the descriptor stays open in this process.
    package func send(descriptor passed: Int32) -> Outcome {
        // A header of 16 bytes, the descriptor, and padding to the header's alignment (cmsg(3)).
        var control = (UInt64(20), Int32(SOL_SOCKET), Int32(SCM_RIGHTS), passed, Int32(0))
        return attempt {
            withUnsafeMutableBytes(of: &control) { control in
                var message = msghdr()
                message.msg_control = control.baseAddress
                message.msg_controllen = control.count
                return sendmsg(descriptor, &message, Self.flags)
            }
        }
    }

    private static let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)

    private func attempt(_ send: () -> Int) -> Outcome {
        // Retries once, because the receiver may have been replaced.
        var failure: Int32 = 0
        for _ in 0..<2 {
            if !isConnected {
                failure = connect()
                if failure != 0 { break }
            }
            var sent = send()
            while sent < 0, errno == EINTR { sent = send() }
            if sent >= 0 { return .sent }
            failure = errno
            switch failure {
            case EAGAIN: return .full
            case EMSGSIZE, ENOBUFS: return .tooLong
            default: isConnected = false
            }
        }
        return .absent(failure)
    }

    private func connect() -> Int32 {
        guard let address = LocalAddress(path) else { return ENAMETOOLONG }
        let failed = address.withSockaddr { Glibc.connect(descriptor, $0, $1) }
        if failed != 0 { return errno }
        isConnected = true
        return 0
    }
}
