import CLinux
import Glibc

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
