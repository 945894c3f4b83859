import CLinux
import ControlProtocol
import EventLoop
import Foundation
import Logging

/// Starts programs for touchd in another process (`touchd exec-programs`, touchd-exec.service).
///
/// A program then does not share touchd's user, memory, devices or sockets. Each connection is for one program: the
/// first packet is a `ProgramCommand` with the descriptor for its output, and the packets back are `ProgramEvent`s. The
/// socket's mode decides which user may connect. Closing a connection ends its program.
package final class ProgramServer {
    /// The maximum number of connections: twice touchd's program limit, because programs that left processes behind
    /// count here.
    static let connectionLimit = 2 * ProgramCommand.limit

    /// The number of further connections that are accepted to be refused.
    private static let reserve = 8

    private let loop: EpollRunLoop
    private let programs: LocalPrograms
    private let logger: Logger
    private var acceptor: Acceptor?
    private var connections: [ObjectIdentifier: Connection] = [:]

    private final class Connection {
        let socket: PacketSocket
        var source: DescriptorSource?
        var program: LocalProgram?

        init(_ socket: PacketSocket) { self.socket = socket }

        /// Whether touchd has closed its end; packets of it may still wait.
        var isClosed: Bool {
            var state = pollfd(fd: socket.descriptor, events: 0, revents: 0)
            return poll(&state, 1, 0) > 0
        }
    }

    /// Starts accepting connections.
    ///
    /// - Parameter listener: A listening `SOCK_SEQPACKET` socket, such as systemd passes (sd_listen_fds(3)); it stays open.
    package init(listener: Int32, loop: EpollRunLoop, logger: Logger) {
        self.loop = loop
        self.logger = logger
        programs = LocalPrograms(loop: loop)
        programs.isStrict = true
        acceptor = Acceptor(
            listener, name: "programs", limit: Self.connectionLimit + Self.reserve, takesDescriptors: true,
            loop: loop
        ) { [weak self] in self?.accept($0) }
    }

    var processes: [pid_t] { connections.values.compactMap(\.program?.process) }

    private func accept(_ descriptor: Int32) {
        let connection = Connection(PacketSocket(descriptor))
        connections[ObjectIdentifier(connection)] = connection
        connection.source = try? loop.add(
            DescriptorSource(name: "program", descriptor: descriptor) { [weak self, unowned connection] _ in
                self?.receive(connection)
            })
        if connection.source == nil { close(connection) }
    }

    private func receive(_ connection: Connection) {
        switch connection.socket.receive(ProgramCommand.self, takesDescriptor: true) {
        case .nothing: break
        case .value(let command, let output):
            guard connection.program == nil, let output else {
                logger.error("closed a connection that sent more or less than one command and its output")
                return end(connection)
            }
            withExtendedLifetime(output) { start(command, output.number, connection) }
        case .end: end(connection)
        }
    }

    private func start(_ command: ProgramCommand, _ output: Int32, _ connection: Connection) {
        // touchd has given up while this process hung: the program would come too late.
        guard !connection.isClosed else { return end(connection) }
        do throws(HandlerFailure) {
            guard processes.count < Self.connectionLimit else {
                throw .notStarted(program: "", reason: "\(Self.connectionLimit) programs are being ended")
            }
            connection.program = try programs.start(command, output: output) { [weak self, weak connection] event in
                guard let connection else { return }
                // Fails only when touchd has closed the connection.
                try? connection.socket.send(event)
                if event == .gone { self?.close(connection) }
            }
        } catch {
            let reason = if case .notStarted(_, let reason) = error { reason } else { "\(error)" }
            // Its paths may be longer than touchd reads.
            try? connection.socket.send(ProgramEvent.notStarted(reason: String(reason.prefix(500))))
            close(connection)
        }
    }

    /// Handles a closed connection: ends the program, and forgets it when it has ended.
    private func end(_ connection: Connection) {
        connection.source?.invalidate()
        connection.source = nil
        if let program = connection.program { program.end() } else { close(connection) }
    }

    private func close(_ connection: Connection) {
        connection.source?.invalidate()
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        acceptor?.connectionEnded()
    }
}
