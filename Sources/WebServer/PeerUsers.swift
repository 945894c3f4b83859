import Glibc
import NIOCore

/// The users of this machine who may connect. The kernel reports whose socket is at the other end of a connection
/// (sock_diag(7)); a program cannot claim to be another user.
///
// `@unchecked Sendable` is safe: calls are made on the event loop of one server.
package final class PeerUsers: @unchecked Sendable {
    private let users: Set<uid_t>
    private let descriptor: Int32
    private var number: UInt32 = 0

    /// - Parameter descriptor: A socket of NETLINK_SOCK_DIAG (netlink(7)) from the network of the connections. A process
    ///   in another network can use it, but could not open it.
    package init(_ users: Set<uid_t>, asking descriptor: Int32) { (self.users, self.descriptor) = (users, descriptor) }

    /// Opens such a socket in the network of this process; nil if the kernel refuses.
    package static func openSocket() -> Int32? {
        // NETLINK_SOCK_DIAG of <linux/netlink.h>.
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | O_CLOEXEC, 4)
        return descriptor < 0 ? nil : descriptor
    }

    /// Why a connection is refused; nil if its user may connect.
    func refusal(of channel: any Channel) -> RequestGuard.Refusal? {
        guard let user = user(at: channel.remoteAddress, connectedTo: channel.localAddress) else {
            let reason = "the kernel does not report the user of this connection; it needs the module tcp_diag"
            return RequestGuard.Refusal(status: 403, reason: reason)
        }
        if users.contains(user) { return nil }
        return RequestGuard.Refusal(status: 403, reason: "user \(user) of this machine is not in 'users'")
    }

    /// The user whose socket is at the client's end of a connection; nil if there is no such open socket.
    private func user(at client: SocketAddress?, connectedTo server: SocketAddress?) -> uid_t? {
        guard let client, let server, let from = client.port, let to = server.port else { return nil }
        number &+= 1
        // struct nlmsghdr: 72 bytes, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST.
        var request = ByteBuffer(integer: UInt32(72), endianness: .host)
        for part in [20, 1] as [UInt16] { request.writeInteger(part, endianness: .host) }
        for part in [number, 0] { request.writeInteger(part, endianness: .host) }
        // struct inet_diag_req_v2: the family, TCP, no extensions, all states.
        request.writeBytes([UInt8(client.protocol.rawValue), UInt8(IPPROTO_TCP), 0, 0])
        request.writeInteger(UInt32.max)
        // struct inet_diag_sockid: both ports and addresses, any interface, no cookie.
        for port in [from, to] { request.writeInteger(UInt16(port)) }
        for address in [client, server] { request.writeBytes(Self.bytes(address)) }
        for part in [0, .max, .max] as [UInt32] { request.writeInteger(part) }
        guard request.withUnsafeReadableBytes({ send(descriptor, $0.baseAddress, $0.count, 0) }) > 0 else { return nil }
        // The kernel has answered when send(2) returns; an answer to an earlier request may wait, too.
        while true {
            var answer = ByteBuffer()
            let count = answer.writeWithUnsafeMutableBytes(minimumWritableBytes: 4096) {
                max(recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)), 0)
            }
            guard count > 0 else { return nil }
            guard answer.getInteger(at: 8, endianness: .host) == number else { continue }
            // struct inet_diag_msg: after its process has closed it, a socket has no user any more.
            guard answer.getInteger(at: 4, endianness: .host) == UInt16(20),
                answer.getInteger(at: 17) == UInt8(TCP_ESTABLISHED)
            else { return nil }
            return answer.getInteger(at: 80, endianness: .host)
        }
    }

    /// The 16 bytes of an address in struct inet_diag_sockid.
    private static func bytes(_ address: SocketAddress) -> [UInt8] {
        switch address {
        case .v4(let v4): withUnsafeBytes(of: v4.address.sin_addr) { Array($0) } + [UInt8](repeating: 0, count: 12)
        case .v6(let v6): withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: [UInt8](repeating: 0, count: 16)
        }
    }
}
