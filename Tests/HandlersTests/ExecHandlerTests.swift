import EventLoop
import Foundation
import Logging
import Testing

@testable import Handlers

/// The `exec` handler with real programs.
@Suite struct ExecHandler {
    private let loop: EpollRunLoop
    private let log = LogRecorder()
    private let runner: CommandRunner
    private let output = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)").path

    init() throws {
        loop = try EpollRunLoop()
        runner = CommandRunner(loop: loop, logger: log.logger)
    }

    /// Starts a program and runs the loop until it and all before it have ended.
    private func run(_ arguments: [String], environment: [String] = []) {
        runner.start(.init(handler: "h", arguments: arguments), environment: environment)
        waitForEnds()
    }

    private func waitForEnds() {
        while !runner.processes.isEmpty { _ = loop.run(returnAfterSourceHandled: true) }
    }

    private func printed() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

    @Test("a program gets its arguments word by word, whatever is in them")
    func argumentsAsWritten() throws {
        run(["/bin/sh", "-c", "printf '%s|' \"$@\" > \(output)", "sh", "two words", "$(id); rm -rf *", ""])
        #expect(try printed() == "two words|$(id); rm -rf *||")
    }

    @Test("a program sees the touch's facts beside the environment of touchd")
    func environment() throws {
        run(["/bin/sh", "-c", "env > \(output)"], environment: ["TOUCHD_VIEW=start; echo"])
        let lines = try printed().split(separator: "\n")
        #expect(lines.contains("TOUCHD_VIEW=start; echo"))
        #expect(lines.contains { $0.hasPrefix("PATH=") })
    }

    @Test("a program does not see the variables that speak for touchd to systemd")
    func serviceEnvironment() {
        let environment = ["NOTIFY_SOCKET": "/run/n", "LISTEN_FDS": "1", "WATCHDOG_USEC": "9", "LANG": "C"]
        #expect(ChildProcess.inherited(from: environment) == ["LANG=C"])
    }

    @Test("a program inherits no descriptor of touchd's and is a process group of its own")
    func inheritance() throws {
        let leak = open("/dev/null", O_RDONLY)
        defer { close(leak) }
        run(["/bin/sh", "-c", "{ ls /proc/$$/fd; cut -d' ' -f1,5 /proc/$$/stat; } > \(output)"])
        let lines = try printed().split(separator: "\n").map(String.init)
        #expect(!lines.contains("\(leak)"))
        let process = try #require(lines.last).split(separator: " ")
        #expect(process[0] == process[1])
    }

    @Test("a program starts with no signal blocked, though touchd blocks those that it reads from a descriptor")
    func signalMask() throws {
        var blocked = sigset_t(), before = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // grep itself is looked at: a shell blocks signals of its own accord while it waits for a child.
        run(["/bin/sh", "-c", "exec grep SigBlk /proc/self/status > \(output)"])
        #expect(try printed() == "SigBlk:\t0000000000000000\n")
    }

    @Test("a program that cannot be started is logged with the reason, and costs nothing else")
    func missingProgram() {
        run(["/nowhere/program"])
        #expect(
            log.lines == [
                "error: handler 'h': cannot start /nowhere/program: posix_spawn: No such file or directory (ENOENT)"
            ])
    }

    @Test("a program that fails is logged with its exit status, one that succeeds is not")
    func failure() {
        run(["/bin/true"])
        run(["/bin/sh", "-c", "exit 3"])
        #expect(log.lines == ["warning: handler 'h': /bin/sh failed with exit status 3"])
    }

    @Test("a program that is killed is logged with the signal")
    func killed() {
        run(["/bin/sh", "-c", "kill -9 $$"])
        #expect(log.lines == ["warning: handler 'h': /bin/sh was killed by signal 9"])
    }

    @Test("at most sixteen programs run at once; what comes above that is not started, and said so")
    func concurrencyLimit() {
        for _ in 0...CommandRunner.concurrencyLimit {
            runner.start(.init(handler: "h", arguments: ["/bin/sleep", "1000"]), environment: [])
        }
        #expect(runner.processes.count == 16)
        #expect(log.lines == ["warning: handler 'h': not started: 16 commands are running already"])

        for process in runner.processes { kill(process, SIGKILL) }
        waitForEnds()
        #expect(runner.processes.isEmpty)
    }
}

/// A logger whose lines a test can read.
final class LogRecorder {
    private struct Handler: LogHandler {
        nonisolated(unsafe) let record: (String) -> Void  // Only called on the main actor, where these tests log.
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .info

        nonisolated subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        nonisolated func log(event: LogEvent) { record("\(event.level.rawValue): \(event.message)") }
    }

    private(set) var lines: [String] = []
    private(set) lazy var logger = Logger(label: "test") { [unowned self] _ in
        Handler(record: { line in MainActor.assumeIsolated { self.lines.append(line) } })
    }
}
