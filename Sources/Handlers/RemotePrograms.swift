import EventLoop
import Foundation

/// Asks `touchd exec-programs` to start programs: in the service, they run as another user in another sandbox.
///
/// Each program has a connection. When touchd exits for any reason, the kernel closes the connections, which ends the
/// programs. A process that hangs keeps no program in the counts: its answers have a time here, too.
final class RemotePrograms {
    private let path: String
    private let loop: EpollRunLoop
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// The maximum size of an event, and of all that are read in one pass of the loop.
    private static let eventLimit = 2 * 1024
    private var bytesLeft = RemotePrograms.eventLimit

    private let patience: Duration
    private static let help = "touchd-exec.service does not answer; see 'systemctl status touchd-exec'"

    private struct Connection {
        let socket: PacketSocket
        let source: DescriptorSource
        let timeout: TimeInterval?
        let report: (ProgramEvent) -> Void
        var timer: RunLoopTimer?
        /// How many events may still come: no program has one of them twice.
        var eventsLeft = ProgramEvent.prototypes.count
    }

    /// - Parameters:
    ///   - path: The socket of `touchd exec-programs`.
    ///   - patience: The time for an answer: systemd starts the service with the first program, and again 1 s after a failure.
    init(path: String, loop: EpollRunLoop, patience: Duration) {
        self.path = path
        self.loop = loop
        self.patience = patience
    }

    /// Asks for a program that writes to `output`, which the caller closes; `report` is called on the loop's thread.
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
            [weak self] _ in self?.receive(key)
        }
        do { try loop.add(source) } catch { throw .notStarted(program: name, reason: "\(error)") }
        connections[key] = Connection(socket: socket, source: source, timeout: command.timeout, report: report)
        expect(key, .notStarted(reason: Self.help), within: patience)
    }

    /// Reports a failure and closes the connection, unless an event comes within a time.
    private func expect(_ key: ObjectIdentifier, _ failure: ProgramEvent, within time: Duration) {
        connections[key]?.timer = loop.add(
            RunLoopTimer(name: "touchd-exec", after: time) { [weak self] timer in
                // The answer may wait, if touchd itself was stopped.
                self?.bytesLeft = Self.eventLimit
                self?.receive(key)
                guard let connection = self?.connections[key], connection.timer === timer else { return }
                connection.report(failure)
                self?.close(key)
            })
    }

    private func close(_ key: ObjectIdentifier) {
        guard let connection = connections.removeValue(forKey: key) else { return }
        connection.source.invalidate()
        connection.timer?.invalidate()
        connection.report(.gone)
    }

    private func receive(_ key: ObjectIdentifier) {
        if bytesLeft == Self.eventLimit {
            loop.perform(in: .common) { [weak self] in self?.bytesLeft = Self.eventLimit }
        }
        while let connection = connections[key] {
            switch connection.socket.receive(ProgramEvent.self, limit: Self.eventLimit, left: &bytesLeft) {
            case .nothing: return
            case .value(let event, _):
                guard connection.eventsLeft > 0 else { return close(key) }
                connections[key]?.eventsLeft -= 1
                // The end is reported once, by the connection.
                if event != .gone { connection.report(event) }
                switch event {
                case .started, .notEnded: connection.timer?.invalidate()
                // No program runs.
                case .notStarted: return close(key)
                default: continue
                }
                guard case .started = event, let timeout = connection.timeout else { continue }
                expect(
                    key, .notEnded(reason: Self.help), within: .seconds(timeout) + ProgramCommand.grace + patience)
            case .end: close(key)
            }
        }
    }
}
