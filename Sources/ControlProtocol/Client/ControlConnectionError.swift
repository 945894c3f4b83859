import EventLoop
import Glibc

/// Why a connection could not be opened or was closed.
package enum ControlConnectionError: Error, Equatable, CustomStringConvertible {
    /// Nothing listens at the path.
    case nobodyThere(path: String)
    /// The caller may not connect to the path.
    case notPermitted(path: String)
    /// touchd listens but did not answer within the timeout.
    case noAnswer(after: Duration)
    /// touchd exited or closed the connection.
    case closed
    /// The received line does not conform to the protocol.
    case notAnAnswer(String)
    /// Another call failed.
    case system(SystemError)
    /// The path is too long for a socket address.
    case isNoAddress(path: String)

    /// The error and how to fix it.
    package var description: String {
        switch self {
        case .nobodyThere(let path):
            "no touchd listens at \(path); start it with 'systemctl start touchd' or 'touchd run "
                + "--control \(path)', or give its path with --socket"
        case .notPermitted(let path):
            "permission denied for touchd's control socket \(path); use sudo, or join its group: "
                + "sudo usermod -aG touchd \(getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "USER"), then log in again"
        case .noAnswer(let timeout):
            "touchd did not answer within \(timeout); a handler may be stuck: see 'journalctl -u touchd'"
        case .closed: "touchd closed the connection; it may have been stopped or restarted"
        case .notAnAnswer(let line): "invalid answer from touchd: \(line.prefix(200))"
        case .system(let error): "\(error)"
        case .isNoAddress(let path):
            "\(path): a socket's path must be \(LocalAddress.bounds) long "
                + "(got \(path.utf8.count)); give touchd's with --socket"
        }
    }
}
