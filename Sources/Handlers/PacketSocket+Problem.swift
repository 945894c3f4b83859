import EventLoop
import Glibc

extension PacketSocket {
    /// Why a process that systemd starts cannot be reached through its socket; nil if it can.
    package static func problem(at path: String, of unit: String) -> String? {
        do throws(SystemError) { _ = try PacketSocket(path: path) } catch { return error.reason(at: path, of: unit) }
        return nil
    }
}

extension SystemError {
    /// Why a process that systemd starts cannot be reached through its socket.
    func reason(at path: String, of unit: String) -> String {
        switch errno {
        case ENOENT, ECONNREFUSED:
            "nothing listens at \(path); run: systemctl start \(unit).socket (\(unit)@SEAT.socket for a seat)"
        case EACCES, EPERM: "not permitted to connect to \(path); the socket must belong to the user of touchd"
        case EAGAIN: "\(unit).service does not accept connections; see 'systemctl status \(unit)'"
        case EMSGSIZE: "its arguments and facts are too long"
        default: "\(self)"
        }
    }
}
