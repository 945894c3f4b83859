import CLinux
import EventLoop
import Foundation

/// Owns a datagram socket of this process that sends to one local address, and never waits.
///
/// It is connected, since only then does `EPOLLOUT` say whether the receiver's queue has room (unix_dgram_poll in the
/// kernel's net/unix/af_unix.c); an unconnected one is always "ready". A receiver that was replaced by another at the same
/// path is connected to again.
package nonisolated final class DatagramSender {
    /// What became of a datagram.
    package enum Outcome: Equatable {
        case sent
        /// The receiver's queue, or this socket's share of it, is full.
        case full
        /// Nobody receives at the path, with the error number.
        case absent(Int32)
        /// The datagram is longer than the kernel takes.
        case tooLong
    }

    /// The socket, for a `DescriptorSource` that waits for room.
    package let descriptor: Int32

    private let path: String
    private var isConnected = false

    /// Makes a socket; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - path: Where the receiver is bound; one that begins with `@` is a name in the abstract namespace (unix(7)).
    ///   - bufferSize: How many bytes may be on their way in the kernel, which is also how long a datagram may be; held to
    ///     net.core.wmem_max. The default is what libsystemd asks for.
    package init(path: String, bufferSize: Int32 = 8 * 1024 * 1024) throws(SystemError) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        if descriptor < 0 { throw SystemError(call: "socket(AF_UNIX, SOCK_DGRAM)", errno: errno) }
        var size = bufferSize
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Sends a datagram if there is room for it now.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        attempt { Foundation.send(descriptor, bytes.baseAddress, bytes.count, Self.flags) }
    }

    /// Sends no bytes but a descriptor (unix(7), `SCM_RIGHTS`), which stays open here.
    package func send(descriptor passed: Int32) -> Outcome {
        // A header of 16 bytes, the descriptor, and what pads it to the header's alignment (cmsg(3)).
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
        // The second time after the receiver turned out to be another one.
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
        let failed = address.withSockaddr { Foundation.connect(descriptor, $0, $1) }
        if failed != 0 { return errno }
        isConnected = true
        return 0
    }
}
