import CLinux
import Glibc

/// A connected unix socket that keeps packets apart (`SOCK_SEQPACKET`, unix(7)) and can pass a descriptor with a packet.
///
/// No call blocks, and every thread may send. The socket is closed with the object, on another thread, because unread
/// packets may have descriptors.
package final class PacketSocket: Sendable {
    /// The maximum size of a packet in bytes: a command with all its arguments and facts. The kernel's own limit is
    /// net.core.wmem_default, 212,992 bytes on Debian.
    package static let packetLimit = 256 * 1024

    package let descriptor: Int32

    /// Takes ownership of a connected socket.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to the socket at a path.
    ///
    /// - Parameter takesDescriptors: Whether the process that listens there may pass descriptors.
    /// - Throws: `ENOENT` or `ECONNREFUSED` if nothing listens there, `EAGAIN` if too many connections wait, `EMFILE` if
    ///   other processes hold up too many closes.
    package convenience init(path: String, takesDescriptors: Bool = false) throws(SystemError) {
        if DetachedClose.isFull { throw SystemError(call: "connect(\(path))", errno: EMFILE) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", errno: errno) }
        if !takesDescriptors { refuse_descriptors(descriptor) }
        let failure = LocalAddress(path)?.withSockaddr { connect(descriptor, $0, $1) == 0 ? 0 : errno } ?? ENAMETOOLONG
        guard failure == 0 else {
            close(descriptor)
            throw SystemError(call: "connect(\(path))", errno: failure)
        }
        self.init(descriptor)
    }

    /// Makes two sockets that are connected with each other.
    package static func pair() throws(SystemError) -> (PacketSocket, PacketSocket) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC | O_NONBLOCK
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError(call: "socketpair", errno: errno) }
        return (PacketSocket(ends[0]), PacketSocket(ends[1]))
    }

    deinit { DetachedClose.close([descriptor]) }

    /// Sends a packet, with a copy of a descriptor unless it is negative.
    ///
    /// - Throws: `EAGAIN` if the peer has not read enough, `EPIPE` or `ECONNRESET` if it is gone.
    package func send(_ packet: [UInt8], descriptor passed: Int32 = -1) throws(SystemError) {
        let sent = packet.withUnsafeBytes { bytes in
            bytes.baseAddress.map { send_packet(descriptor, $0, bytes.count, passed) } ?? 0
        }
        guard sent == packet.count else { throw SystemError(call: "sendmsg", errno: errno) }
    }

    /// Receives the next packet, and the descriptor passed with it.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of a packet. A larger one is the end.
    ///   - takesDescriptor: Whether a packet may have a descriptor. Otherwise a packet with one is the end, as is a packet
    ///     with several.
    package func receive(limit: Int = packetLimit, takesDescriptor: Bool = false) -> Received<[UInt8]> {
        var passes: Int32 = 0
        var peeked = peek_bytes(descriptor, nil, 0, &passes)
        // If the peer ended before it read all packets, the kernel says so once, before the packets that the peer had
        // sent (unix_release_sock in the kernel's net/unix/af_unix.c).
        if peeked < 0, errno == ECONNRESET { peeked = peek_bytes(descriptor, nil, 0, &passes) }
        if peeked < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .end }
        // What is not taken is closed with the socket. Without room, the kernel would close it on this thread.
        if passes != 0, !takesDescriptor || DetachedClose.isFull { return .end }
        var passed = [Int32](repeating: -1, count: passes != 0 ? Int(passed_limit) : 0)
        var passedCount: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = passed.withUnsafeMutableBufferPointer { passed in
                func receive() -> Int {
                    receive_packet(
                        descriptor, base, buffer.count, passed.isEmpty ? nil : passed.baseAddress, &passedCount)
                }
                let received = receive()
                return max(received < 0 && errno == ECONNRESET ? receive() : received, 0)
            }
        }
        passed.removeSubrange(Int(passedCount)...)
        guard !bytes.isEmpty, passed.count <= 1 else {
            if !passed.isEmpty { DetachedClose.close(passed) }
            return .end
        }
        return .value(bytes, descriptor: passed.first.map { PassedDescriptor($0) })
    }
}

/// The result of receiving from a `PacketSocket`.
package enum Received<Value> {
    /// A value, and the descriptor passed with it.
    case value(Value, descriptor: PassedDescriptor?)
    /// No packet has arrived yet.
    case nothing
    /// The peer closed the connection or sent an invalid packet.
    case end
}
