import CLinux
import Glibc

/// A path as an address of a local socket (unix(7)); a leading `@` means the abstract namespace.
package nonisolated struct LocalAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// The valid lengths of a path, in bytes (unix(7)).
    package static let lengths = 1...107
    /// The valid lengths, for a message.
    package static let bounds = "\(lengths.lowerBound) to \(lengths.upperBound) bytes"

    /// Creates an address; returns nil if the path is empty or too long.
    package init?(_ path: String) {
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard Self.lengths.contains(bytes.count) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { address.sun_path.0 = 0 }
        // An abstract name ends at the address's length; a path ends with a null byte.
        let offset = MemoryLayout<sockaddr_un>.size - room
        length = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
    }

    /// Calls `body` with the address in the form that socket calls take.
    package func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

/// Why a socket cannot be bound to a path.
package enum ListeningSocketError: Error, Equatable, CustomStringConvertible {
    /// Another process listens there.
    case isTaken(path: String)
    /// The path is another kind of file, which touchd does not remove.
    case isNoSocket(path: String)
    /// The path is too long for a socket address.
    case isNoAddress(path: String)
    /// The kernel's error.
    case refused(path: String, SystemError)

    /// The error and how to fix it.
    package var description: String {
        switch self {
        case .isTaken(let path):
            "another process, probably another touchd, listens at \(path); stop it with 'systemctl stop "
                + "touchd.socket touchd.service', or choose another path with --control"
        case .isNoSocket(let path):
            "\(path) is not a socket, so touchd does not replace it; move it away, or "
                + "choose another path with --control"
        case .isNoAddress(let path):
            "\(path): a socket's path must be \(LocalAddress.bounds) long (got "
                + "\(path.utf8.count)); choose another path with --control"
        case .refused(let path, let error):
            "cannot listen at \(path): \(error.reason); check the folder, or choose another path with --control"
        }
    }
}

extension LocalAddress {
    /// Removes the socket of a terminated process, so that another can be bound to its path.
    ///
    /// - Throws: If a process listens there, if the path is another kind of file, or the kernel's error.
    package static func makeRoom(at path: String) throws(ListeningSocketError) {
        let address = try LocalAddress(listeningAt: path), probe = try newSocket(for: path)
        let isTaken = address.withSockaddr { connect(probe, $0, $1) } == 0 || errno == EAGAIN
        close(probe)
        if isTaken { throw .isTaken(path: path) }
        var information = stat()
        guard lstat(path, &information) == 0 else { return }
        guard information.st_mode & S_IFMT == S_IFSOCK else { throw .isNoSocket(path: path) }
        if unlink(path) != 0 { throw .refused(path: path, SystemError(call: "unlink", errno: errno)) }
    }

    /// Creates an address for a listening socket.
    package init(listeningAt path: String) throws(ListeningSocketError) {
        guard let address = LocalAddress(path) else { throw .isNoAddress(path: path) }
        self = address
    }

    /// Creates a nonblocking socket that can listen at a path.
    package static func newSocket(for path: String) throws(ListeningSocketError) -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        if number < 0 { throw .refused(path: path, SystemError(call: "socket", errno: errno)) }
        return number
    }
}

/// Accepts the connections of a listening socket.
///
/// While as many connections as the limit are open, further ones wait in the socket's queue. If no descriptor or memory
/// is left, it rests for a second; otherwise the loop would spin.
package final class Acceptor {
    private let listener: Int32
    private let name: String
    private let priority: Int
    private let limit: Int
    private let loop: EpollRunLoop
    private let didAccept: (Int32) -> Void
    private let didFail: (SystemError) -> Void
    private var count = 0
    private var source: DescriptorSource?
    private var rest: RunLoopTimer?

    /// Starts to accept connections.
    ///
    /// - Parameters:
    ///   - listener: A listening socket, which stays open; it becomes nonblocking.
    ///   - name: The name of the source in logs and measurements.
    ///   - priority: The priority of the source.
    ///   - limit: The maximum number of open connections.
    ///   - didFail: Called when no connection is accepted for a second.
    ///   - didAccept: Takes a nonblocking connection; when it has ended, call `connectionEnded()`.
    package init(
        _ listener: Int32, name: String, priority: Int = 0, limit: Int = .max, loop: EpollRunLoop,
        didFail: @escaping (SystemError) -> Void = { _ in }, didAccept: @escaping (Int32) -> Void
    ) {
        self.listener = listener
        self.name = name
        self.priority = priority
        self.limit = limit
        self.loop = loop
        self.didAccept = didAccept
        self.didFail = didFail
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
        listen()
    }

    deinit { invalidate() }

    /// Notes that a connection is closed, so that another one can be accepted.
    package func connectionEnded() {
        count -= 1
        listen()
    }

    /// Stops accepting.
    package func invalidate() {
        source?.invalidate()
        rest?.invalidate()
        (source, rest) = (nil, nil)
    }

    private func listen() {
        rest?.invalidate()
        rest = nil
        guard source == nil, count < limit else { return }
        let source = DescriptorSource(name: name, descriptor: listener, priority: priority) { [weak self] _ in
            self?.accept()
        }
        loop.add(source)
        self.source = source
    }

    /// Accepts a few connections per pass, so that many of them do not delay touches.
    private func accept() {
        for _ in 0..<8 where source != nil {
            let connection = accept4(listener, nil, nil, O_NONBLOCK | O_CLOEXEC)
            if connection >= 0 {
                count += 1
                if count >= limit { invalidate() }
                didAccept(connection)
                continue
            }
            switch errno {
            case EAGAIN: return
            // The client disconnected before it was accepted.
            case EINTR, ECONNABORTED: continue
            default:
                let error = SystemError(call: "accept4", errno: errno)
                invalidate()
                let timer = RunLoopTimer(name: "\(name) pause", after: .seconds(1)) { [weak self] _ in self?.listen() }
                loop.add(timer)
                rest = timer
                didFail(error)
            }
        }
    }
}

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
