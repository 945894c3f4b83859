import ControlProtocol
import EventLoop
import Glibc

extension PacketSocket {
    /// Why `touchd exec-programs` does not answer at its socket; nil if it does.
    ///
    /// - Parameter limit: How long the answer may take; systemd may have to start the process.
    package static func programsProblem(at path: String, within limit: Duration) -> String? {
        // Not a stream of this process: a hung server would keep it open, and who reads the stream would wait for its end.
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        // No program starts, because a folder is none.
        return problem(
            at: path, of: "touchd-exec", within: limit,
            asking: ProgramCommand(arguments: ["/"], environment: []).jsonLine, descriptor: null)
    }

    /// Why `touchd network` does not answer at its socket; nil if it does.
    package static func networkProblem(at path: String, within limit: Duration) -> String? {
        problem(
            at: path, of: "touchd-network", within: limit,
            asking: NetworkOrder.hello(NetworkHello { $0.isProbe = true }).packet)
    }

    private static func problem(
        at path: String, of unit: String, within limit: Duration, asking question: [UInt8], descriptor: Int32 = -1
    ) -> String? {
        do throws(SystemError) {
            let socket = try PacketSocket(path: path)
            try socket.send(question, descriptor: descriptor)
            var entry = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, Int32(limit / .milliseconds(1)))
            return switch socket.receive() {
            case .value: nil
            case .nothing: "\(unit).service does not answer; see 'systemctl status \(unit)'"
            case .end: "\(unit).service ends before it answers; see 'systemctl status \(unit)'"
            }
        } catch {
            return error.reason(at: path, of: unit)
        }
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
