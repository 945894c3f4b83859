import EventLoop
import Foundation

/// Asks `touchd exec-programs` to start programs: in the service, they run as another user in another sandbox.
///
/// Each program has a connection. When touchd exits for any reason, the kernel closes the connections, which ends the
/// programs.
final class RemotePrograms: ProgramStarter {
    private let path: String
    private let loop: EpollRunLoop
    private var connections: [ObjectIdentifier: Connection] = [:]
    private static let eventsPerPass = 4

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
            throw .notStarted(program: name, reason: error.reason(at: path, of: "touchd-exec"))
        }
        let key = ObjectIdentifier(socket)
        // After touches (0) and clients of the control socket (1).
        let source = DescriptorSource(name: "program \(name)", descriptor: socket.descriptor, priority: 2) {
            [weak self] _ in self?.receive(key, report)
        }
        do { try loop.add(source) } catch { throw .notStarted(program: name, reason: "\(error)") }
        connections[key] = Connection(socket: socket, source: source)
    }

    func close() {}

    private func receive(_ key: ObjectIdentifier, _ report: (ProgramEvent) -> Void) {
        // More events than a program has come in later passes, after touches.
        for _ in 0..<Self.eventsPerPass {
            guard let connection = connections[key] else { return }
            switch connection.socket.receive(ProgramEvent.self) {
            case .nothing: return
            case .value(let event, _):
                // The end is reported once, by the connection.
                if event != .gone { report(event) }
            case .end:
                connection.source.invalidate()
                connections[key] = nil
                report(.gone)
            }
        }
    }
}
