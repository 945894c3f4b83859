import EventLoop
import Foundation

/// Asks `touchd exec-programs` to start programs: in the service, they run as another user in another sandbox.
///
/// Each program has a connection. When touchd exits for any reason, the kernel closes the connections, which ends the
/// programs.
package final class RemotePrograms: ProgramStarter {
    private let path: String
    private let loop: EpollRunLoop
    private var connections: [ObjectIdentifier: Connection] = [:]

    private struct Connection {
        let socket: PacketSocket
        let source: DescriptorSource
    }

    /// - Parameter path: The socket of `touchd exec-programs`.
    init(path: String, loop: EpollRunLoop) {
        self.path = path
        self.loop = loop
    }

    func start(
        _ command: ProgramCommand, output: Int32, report: @escaping (ProgramEvent) -> Void
    ) throws(HandlerFailure) {
        let name = command.arguments.first ?? ""
        let socket: PacketSocket
        do {
            socket = try PacketSocket(path: path)
            try socket.send(command, descriptor: output)
        } catch {
            throw .notStarted(program: name, reason: Self.reason(error, path: path))
        }
        let key = ObjectIdentifier(socket)
        // After touches (0) and clients of the control socket (1).
        let source = DescriptorSource(name: "program \(name)", descriptor: socket.descriptor, priority: 2) {
            [weak self] _ in self?.receive(key, report)
        }
        loop.add(source)
        connections[key] = Connection(socket: socket, source: source)
    }

    func close() {}

    private func receive(_ key: ObjectIdentifier, _ report: (ProgramEvent) -> Void) {
        while let connection = connections[key] {
            switch connection.socket.receive(ProgramEvent.self) {
            case .nothing: return
            case .value(let event, let descriptor):
                if descriptor >= 0 { Foundation.close(descriptor) }
                // The end is reported once, by the connection.
                if event != .gone { report(event) }
            case .end:
                connection.source.invalidate()
                connections[key] = nil
                report(.gone)
            }
        }
    }

    /// Why no program can be started through a socket; nil if `touchd exec-programs` listens there.
    package static func problem(at path: String) -> String? {
        do { _ = try PacketSocket(path: path) } catch { return reason(error, path: path) }
        return nil
    }

    private static func reason(_ error: SystemError, path: String) -> String {
        switch error.errno {
        case ENOENT, ECONNREFUSED:
            "nothing listens at \(path); run: systemctl start touchd-exec.socket (touchd-exec@SEAT.socket for a seat)"
        case EACCES, EPERM: "not permitted to connect to \(path); the socket must belong to the user of touchd"
        case EAGAIN: "touchd-exec.service does not accept connections; see 'systemctl status touchd-exec'"
        case EMSGSIZE: "its arguments and facts are too long"
        default: "\(error)"
        }
    }
}
