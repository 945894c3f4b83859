import EventLoop
import Foundation

/// Why a connection could not be opened or was closed.
public enum ControlConnectionError: Error, Equatable, CustomStringConvertible {
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
    public var description: String {
        switch self {
        case .nobodyThere(let path):
            "no touchd listens at \(path); start it with 'systemctl start touchd', or by hand with 'touchd run "
                + "--control \(path)', or say where it is with --socket"
        case .notPermitted(let path):
            "you may not talk to touchd at \(path); root may, and members of the socket's group: "
                + "'sudo usermod -aG touchd \(NSUserName())', and log in again"
        case .noAnswer(let timeout):
            "touchd does not answer, not in \(timeout); a handler may be stuck: see 'journalctl -u touchd'"
        case .closed: "touchd has closed the connection; it may have been stopped or started again"
        case .notAnAnswer(let line): "this is no answer of touchd's: \(line.prefix(200))"
        case .system(let error): "\(error)"
        case .isNoAddress(let path):
            "no touchd can listen at \(path): the path of a socket may have \(LocalAddress.bounds), and this "
                + "has \(path.utf8.count); say where it is with --socket"
        }
    }
}
