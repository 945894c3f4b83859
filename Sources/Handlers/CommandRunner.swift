import Foundation
import EventLoop
import Logging

/// Starts programs for touches and notices how they end, without ever waiting for one.
final class CommandRunner {
    /// A handler's program.
    struct Command {
        let handler: String
        let arguments: [String]
    }

    /// A finger drumming on a button must not fill the machine with processes.
    static let concurrencyLimit = 16

    private let loop: EpollRunLoop
    private let logger: Logger
    private var running: [pid_t: ChildProcessSource] = [:]

    /// The programs that have been started and have not ended.
    var processes: [pid_t] { Array(running.keys) }

    init(loop: EpollRunLoop, logger: Logger) {
        self.loop = loop
        self.logger = logger
    }

    /// Starts a program with `environment` added to touchd's own; when it cannot be started, that is logged.
    func start(_ command: Command, environment: [String]) {
        guard running.count < Self.concurrencyLimit else {
            log(.warning, command, "not started: \(running.count) commands are running already")
            return
        }
        do {
            let process = try ChildProcess.spawn(command.arguments, environment: environment)
            let source = try ChildProcessSource(process: process) { [weak self] status in
                self?.ended(process, command, status)
            }
            running[process] = source
            loop.add(source)
        } catch {
            log(.error, command, "cannot start \(command.arguments[0]): \(error)")
        }
    }

    private func ended(_ process: pid_t, _ command: Command, _ status: ExitStatus) {
        running.removeValue(forKey: process)?.invalidate()
        switch status {
        case .exited(0): break
        case .exited(let code): log(.warning, command, "\(command.arguments[0]) failed with exit status \(code)")
        case .signalled(let signal): log(.warning, command, "\(command.arguments[0]) was killed by signal \(signal)")
        }
    }

    private func log(_ level: Logger.Level, _ command: Command, _ message: String) {
        logger.log(
            level: level, "handler '\(command.handler)': \(message)", metadata: ["TOUCHD_HANDLER": "\(command.handler)"]
        )
    }
}
