import CLibsystemd
import CLinux
import EventLoop
import Foundation

/// Owns the listening socket: one that systemd passed, or one bound to a path, which is removed on deinitialization.
package final class ListeningSocket {
    let descriptor: Int32
    let path: String
    /// The group whose members may send commands.
    let group: gid_t

    private let removesPath: Bool

    /// Takes the socket named `control` from those that systemd passed (sd_listen_fds(3)); returns nil if there is
    /// none.
    ///
    /// - Throws: If the passed descriptor is not a listening stream socket.
    static func passed() throws(SystemError) -> ListeningSocket? {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        // Removes the variables from the environment, so that handlers' programs do not inherit them.
        let count = sd_listen_fds_with_names(1, &names)
        guard count > 0, let names else { return nil }
        defer {
            for index in 0..<Int(count) { free(names[index]) }
            free(names)
        }
        var control: Int32?
        for index in 0..<Int(count) {
            let descriptor = SD_LISTEN_FDS_START + Int32(index)
            // A socket without `FileDescriptorName=` has its unit's name.
            let name = names[index].map { String(cString: $0) } ?? ""
            if control == nil, name == "control" || count == 1 { control = descriptor } else { close(descriptor) }
        }
        return try control.map { (descriptor) throws(SystemError) in try ListeningSocket(passed: descriptor) }
    }

    private init(passed descriptor: Int32) throws(SystemError) {
        guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
            close(descriptor)
            throw SystemError(call: "the socket passed by systemd is not a listening stream socket", errno: EINVAL)
        }
        self.descriptor = descriptor
        path = Self.path(of: descriptor)
        group = Self.group(of: path)
        removesPath = false
    }

    /// Binds a socket to a path with mode 0660. Replaces a socket that a terminated process left behind.
    ///
    /// - Throws: If another process listens there, if the path is another kind of file, or the kernel's error.
    package init(path: String) throws(ListeningSocketError) {
        let address = try LocalAddress(listeningAt: path)
        try LocalAddress.makeRoom(at: path)
        let descriptor = try LocalAddress.newSocket(for: path)
        do throws(ListeningSocketError) {
            // The mode must hold from the start: nobody may connect before it is set.
            let mask = umask(0o117)
            let failed = address.withSockaddr { bind(descriptor, $0, $1) } != 0
            let number = errno
            umask(mask)
            if failed { throw .refused(path: path, SystemError(call: "bind", errno: number)) }
            if listen(descriptor, 64) != 0 { throw .refused(path: path, SystemError(call: "listen", errno: errno)) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
        group = Self.group(of: path)
        removesPath = true
    }

    deinit {
        if removesPath { unlink(path) }
        close(descriptor)
    }

    private static func path(of descriptor: Int32) -> String {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let failed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard failed == 0 else { return "" }
        return withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func group(of path: String) -> gid_t {
        var information = stat()
        return lstat(path, &information) == 0 ? information.st_gid : getegid()
    }
}

extension ListeningSocketError: CustomStringConvertible {
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
