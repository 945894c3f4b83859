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
