import CLinux
import ControlProtocol
import EventLoop
import Foundation

/// A connected unix socket that keeps packets apart (`SOCK_SEQPACKET`, unix(7)) and can pass a descriptor with a
/// packet.
///
/// No call blocks. The descriptor is closed with the object.
final class PacketSocket {
    /// The maximum size of a packet in bytes: a command with all its arguments and facts, or an event. The kernel's own
    /// limit is net.core.wmem_default, 212,992 bytes on Debian.
    static let packetLimit = 256 * 1024

    let descriptor: Int32

    /// Takes ownership of a connected socket.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to the socket at a path.
    ///
    /// - Throws: `ENOENT` or `ECONNREFUSED` if nothing listens there, `EAGAIN` if too many connections wait.
    convenience init(path: String) throws(SystemError) {
        self.init(socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC | O_NONBLOCK, 0))
        guard descriptor >= 0 else { throw SystemError(call: "socket", errno: errno) }
        let failure = LocalAddress(path)?.withSockaddr { connect(descriptor, $0, $1) == 0 ? 0 : errno } ?? ENAMETOOLONG
        guard failure == 0 else { throw SystemError(call: "connect(\(path))", errno: failure) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a value as one packet, with a copy of a descriptor unless it is negative.
    func send(_ value: some JSONWritable, descriptor passed: Int32 = -1) throws(SystemError) {
        let data = value.jsonLine
        let sent = data.withUnsafeBytes { bytes in
            bytes.baseAddress.map { send_packet(descriptor, $0, bytes.count, passed) } ?? 0
        }
        guard sent == data.count else { throw SystemError(call: "sendmsg", errno: errno) }
    }

    /// The result of `receive`.
    enum Received<Value> {
        /// A value, and the descriptor passed with it, or -1; the caller closes it.
        case value(Value, descriptor: Int32)
        /// No packet has arrived yet.
        case nothing
        /// The peer closed the connection or sent an invalid packet.
        case end
    }

    /// Receives the next packet.
    func receive<Value: JSONReadable>(_ type: Value.Type) -> Received<Value> {
        var passed: Int32 = -1
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.packetLimit) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            let received = receive_packet(descriptor, base, buffer.count, &passed)
            failure = received < 0 ? errno : 0
            count = max(received, 0)
        }
        if failure == EAGAIN || failure == EINTR { return .nothing }
        guard !bytes.isEmpty, let value = try? JSONTree(bytes).decode(type) else {
            if passed >= 0 { close(passed) }
            return .end
        }
        return .value(value, descriptor: passed)
    }
}
