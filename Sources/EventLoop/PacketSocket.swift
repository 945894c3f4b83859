import CLinux
import Glibc

/// A connected unix socket that keeps packets apart (`SOCK_SEQPACKET`, unix(7)) and can pass a descriptor with a packet.
///
/// No call blocks, and every thread may send. The descriptor is closed with the object.
package final class PacketSocket: Sendable {
    /// The maximum size of a packet in bytes: a command with all its arguments and facts. The kernel's own limit is
    /// net.core.wmem_default, 212,992 bytes on Debian.
    package static let packetLimit = 256 * 1024

    package let descriptor: Int32

    /// Takes ownership of a connected socket.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to the socket at a path.
    ///
    /// - Throws: `ENOENT` or `ECONNREFUSED` if nothing listens there, `EAGAIN` if too many connections wait.
    package convenience init(path: String) throws(SystemError) {
        self.init(socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC | O_NONBLOCK, 0))
        guard descriptor >= 0 else { throw SystemError(call: "socket", errno: errno) }
        let failure = LocalAddress(path)?.withSockaddr { connect(descriptor, $0, $1) == 0 ? 0 : errno } ?? ENAMETOOLONG
        guard failure == 0 else { throw SystemError(call: "connect(\(path))", errno: failure) }
    }

    /// Makes two sockets that are connected with each other.
    package static func pair() throws(SystemError) -> (PacketSocket, PacketSocket) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC | O_NONBLOCK
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError(call: "socketpair", errno: errno) }
        return (PacketSocket(ends[0]), PacketSocket(ends[1]))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a packet, with a copy of a descriptor unless it is negative.
    ///
    /// - Throws: `EAGAIN` if the peer has not read enough, `EPIPE` or `ECONNRESET` if it is gone.
    package func send(_ packet: [UInt8], descriptor passed: Int32 = -1) throws(SystemError) {
        let sent = packet.withUnsafeBytes { bytes in
            bytes.baseAddress.map { send_packet(descriptor, $0, bytes.count, passed) } ?? 0
        }
        guard sent == packet.count else { throw SystemError(call: "sendmsg", errno: errno) }
    }

    /// Receives the next packet, and the descriptor passed with it, or -1; the caller closes it.
    ///
    /// - Parameter limit: The maximum size of a packet. A larger one is the end.
    package func receive(limit: Int = packetLimit) -> Received<[UInt8]> {
        var passed: Int32 = -1
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            var received = receive_packet(descriptor, base, buffer.count, &passed)
            // If the peer ended before it read all packets, the kernel says so once, before the packets that the peer
            // had sent (unix_release_sock in the kernel's net/unix/af_unix.c).
            if received < 0, errno == ECONNRESET { received = receive_packet(descriptor, base, buffer.count, &passed) }
            failure = received < 0 ? errno : 0
            count = max(received, 0)
        }
        if failure == EAGAIN || failure == EINTR { return .nothing }
        guard bytes.isEmpty else { return .value(bytes, descriptor: passed) }
        if passed >= 0 { close(passed) }
        return .end
    }
}

/// The result of receiving from a `PacketSocket`.
package enum Received<Value> {
    /// A value, and the descriptor passed with it, or -1; the receiver closes it.
    case value(Value, descriptor: Int32)
    /// No packet has arrived yet.
    case nothing
    /// The peer closed the connection or sent an invalid packet.
    case end
}
