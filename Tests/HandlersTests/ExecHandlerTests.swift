import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import TestSupport
@testable import Handlers
@testable import Layout

/// The `exec` handler with real programs.
@Suite final class ExecHandler {
    private let kiosk: HandlerKiosk
    private let output = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)").path

    init() throws { kiosk = try HandlerKiosk() }

    deinit { unlink(output) }

    /// Starts a program and runs the loop until all programs have ended.
    private func run(_ arguments: [Template], user: String? = nil, timeout: TimeInterval? = nil) {
        start(ExecSpec(arguments: arguments, user: user, timeout: timeout))
        waitForEnds()
    }

    private func start(_ spec: ExecSpec) {
        kiosk.run(spec, for: HandlerContext(.absent, .device("two words; $(id)\n*")))
    }

    private func killAll() {
        for process in processes { kill(process, SIGKILL) }
        waitForEnds()
    }

    private func waitForEnds() {
        while !processes.isEmpty { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
    }

    private var processes: [pid_t] { kiosk.runner.programs.processes }
    private var log: LogRecorder { kiosk.log }

    private func printed() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

    @Test("a program gets its arguments one by one; a fact is never more than one")
    func argumentsAsWritten() throws {
        run([
            "/bin/sh", "-c", .init(verbatim: "printf '%s|' \"$@\" > \(output)"), "sh", "$(id); rm -rf *", "",
            Template(segments: [.text("<"), .fact("device"), .text(">")]), Template(segments: [.fact("view")]),
        ])
        #expect(try printed() == "$(id); rm -rf *||<two words; $(id)\n*>||")
    }

    @Test("a program gets the context's facts in addition to touchd's environment")
    func environment() throws {
        run(["/bin/sh", "-c", .init(verbatim: "env > \(output)")])
        let lines = try printed().split(separator: "\n")
        for variable in ["TOUCHD_DEVICE=two words; $(id)", "TOUCHD_TRIGGER=absent", "TOUCHD_HANDLER=h", "PATH="] {
            #expect(lines.contains { $0.hasPrefix(variable) })
        }
    }

    @Test("a program gets a handler's arguments in its environment, but not those of a private view")
    func givenArguments() throws {
        let context = HandlerContext(.absent, .device("d"))
        let given = kiosk.facts(of: context, ["digit": "--help; $(id)", "a-b": "2"]).environment.suffix(2)
        #expect(given == ["TOUCHD_WITH_A_B=2", "TOUCHD_WITH_DIGIT=--help; $(id)"])
        let layout = "views: [{id: pin, frame: [0, 0, 500, 500], private: true, on: {began: told}}]"
        kiosk.registry.register("told") { [kiosk] in _ = kiosk.facts(of: $0) }
        try kiosk.show("screen: {size: [1000, 1000]}\n" + layout)
        kiosk.finger(at: 5, 5)
        let names = kiosk.facts(of: try #require(kiosk.lastContext), ["digit": "5"]).environment
        #expect(!names.contains { $0.hasPrefix("TOUCHD_WITH") } && names.contains("TOUCHD_VIEW=pin"))
    }

    @Test("a program reads a text on standard input, as long as it is, and nothing without one")
    func input() throws {
        let text = String(repeating: "-rf; $(id)\n", count: 20_000)
        let print: [Template] = ["/bin/sh", "-c", .init(verbatim: "cat /dev/stdin > \(output)")]
        start(ExecSpec(arguments: print, input: Template(segments: [.fact("device"), .text(text)])))
        waitForEnds()
        #expect(try printed() == "two words; $(id)\n*" + text)
        run(print)
        #expect(try printed() == "")
    }

    @Test("a program does not see the variables that speak for touchd to systemd")
    func serviceEnvironment() {
        let environment = [
            "NOTIFY_SOCKET": "/run/n", "LISTEN_FDS": "1", "WATCHDOG_USEC": "9", "TOUCHD_VIEW": "old", "LANG": "C",
        ]
        #expect(ChildProcess.inherited(from: environment) == ["LANG=C"])
    }

    @Test("a program inherits no descriptor of touchd and runs in its own process group")
    func inheritance() throws {
        // A number that no shell uses itself.
        let leak = fcntl(STDIN_FILENO, F_DUPFD, 200)
        defer { close(leak) }
        run(["/bin/sh", "-c", .init(verbatim: "{ ls /proc/$$/fd; cut -d' ' -f1,5 /proc/$$/stat; } > \(output)")])
        let lines = try printed().split(separator: "\n").map(String.init)
        #expect(!lines.contains("\(leak)"))
        let process = try #require(lines.last).split(separator: " ")
        #expect(process[0] == process[1])
    }

    @Test("a program starts without blocked signals, although touchd blocks some")
    func signalMask() throws {
        var blocked = sigset_t(), before = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // Exec'd grep checks its own mask, because a shell blocks signals while it waits for a child.
        run(["/bin/sh", "-c", .init(verbatim: "exec grep SigBlk /proc/self/status > \(output)")])
        #expect(try printed() == "SigBlk:\t0000000000000000\n")
    }

    @Test("a failure's entry names the handler and has the service's metadata for its kind")
    func failureFields() {
        run(["/bin/sh", "-c", "exit 3"])
        #expect(log.fields == ["TOUCHD_HANDLER": "h", "MESSAGE_ID": MessageID.programFailed.rawValue])
    }

    @Test("a program's status is reported although touchd was started by a program that ignores SIGCHLD")
    func ignoredSIGCHLD() {
        let former = signal(SIGCHLD, SIG_IGN)
        defer { signal(SIGCHLD, former) }
        run(["/bin/sh", "-c", "exit 3"])
        #expect(log.lines == ["error: handler 'h': /bin/sh failed with exit status 3"])
    }

    @Test("inline steps have separate limits, although all are called exec")
    func limitOfEachStep() {
        let steps = (1...2).map { line in
            HandlerStep(
                kind: .action(
                    .exec(ExecSpec(arguments: ["/bin/sleep", Template(verbatim: "\(1000 + line)")], limit: 1))),
                location: SourceLocation(file: "kiosk.yaml", line: line, column: 1))
        }
        for step in steps + steps.prefix(1) { kiosk.runner.perform(step, for: HandlerContext(.absent, .device("d"))) }
        #expect(processes.count == 2)
        #expect(log.lines == ["error: kiosk.yaml:1:1: exec: not started: 1 of this step's commands already run"])
        killAll()
    }

    @Test("a reload that moves a step to another line does not give it another limit")
    func limitOverReload() throws {
        let actions = """
            views:
            - {id: a, frame: [0, 0, 50, 100], on: {began: open}}
            - {id: b, frame: [50, 0, 50, 100], on: {began: {exec: {command: [/bin/sleep, "1000"], limit: 1}}}}
            handlers: {open: {exec: {command: [/bin/sleep, "1000"], limit: 1}}}
            """
        for comments in ["", "# one\n# two\n"] {
            try kiosk.show(comments + actions)
            for x in [25.0, 75] { kiosk.taps(at: x, 50) }
        }
        #expect(processes.count == 2)
        #expect(log.lines.count == 2 && log.lines.allSatisfy { $0.contains("1 of this step's commands already run") })
        killAll()
    }

    @Test("processes that a program left behind count for its step; a program beyond all limits is refused at once")
    func leftoversOfStep() throws {
        let recorded = RecordedProgramLog()
        kiosk.runner.programs.log = recorded
        // The child keeps the output open after the shell has ended.
        let hold = ExecSpec(arguments: ["/bin/sh", "-c", "sleep 1000 & echo $!"], limit: 64)
        for handler in ["a", "b"] {
            for _ in 0..<64 {
                kiosk.run(hold, by: handler)
                waitForEnds()
            }
        }
        kiosk.run(hold, by: "a")
        kiosk.run(ExecSpec(arguments: ["/bin/true"]), by: "c")
        #expect(
            log.lines == [
                "error: handler 'a': not started: 64 of this step's commands already run",
                "error: handler 'c': not started: 128 commands already run",
            ])
        while recorded.lines.count < 128 { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
        for line in recorded.lines { kill(try #require(pid_t(line.text)), SIGKILL) }
        while kiosk.runner.programs.isReading { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
        kiosk.run(ExecSpec(arguments: ["/bin/true"]), by: "a")
        waitForEnds()
        #expect(log.lines.count == 2)
    }

    @Test("at most sixty-four programs run at once, of whatever handlers")
    func overallLimit() {
        for _ in 0...ProgramCommand.limit { start(ExecSpec(arguments: ["/bin/sleep", "1000"], limit: 1000)) }
        #expect(processes.count == 64)
        #expect(log.lines == ["error: handler 'h': not started: 64 commands already run"])
        killAll()
    }

    @Test("a program that ignores SIGTERM is killed with its children, without a zombie")
    func killedAfterGrace() throws {
        // The shell's child ignores the signal too, and keeps the FIFO open until it is killed.
        #expect(mkfifo(output, 0o600) == 0)
        let fifo = open(output, O_RDONLY | O_NONBLOCK)
        defer { close(fifo) }
        let script = Template(verbatim: "trap '' TERM; sleep 1000 > \(output) & wait; wait")
        start(ExecSpec(arguments: ["/bin/sh", "-c", script], timeout: 0.05))
        let shell = try #require(processes.first)
        waitForEnds()
        #expect(log.lines == ["error: handler 'h': /bin/sh was stopped after its timeout of 0.05 s"])
        #expect(kill(shell, 0) == -1 && errno == ESRCH)
        // Reaches end of file when no process can write any more.
        _ = fcntl(fifo, F_SETFL, 0)
        var byte: UInt8 = 0
        #expect(read(fifo, &byte, 1) == 0)
    }

    @Test("processes that outlive a program may run until its timeout and are then ended")
    func leftRunning() throws {
        // The shell exits at once, and its child keeps the FIFO open. On a busy machine the shell gets a longer
        // timeout.
        for timeout in [1.0, 30, 900] {
            log.clear()
            unlink(output)
            #expect(mkfifo(output, 0o600) == 0)
            let fifo = open(output, O_RDONLY | O_NONBLOCK)
            defer { close(fifo) }
            var isClosed = false
            let writers = DescriptorSource(name: "writers", descriptor: fifo, events: []) { _ in isClosed = true }
            try kiosk.loop.add(writers)
            defer { writers.invalidate() }

            run(["/bin/sh", "-c", .init(verbatim: "sleep 1000 > \(output) & exit 0")], timeout: timeout)
            if !log.lines.isEmpty { continue }
            while !isClosed { _ = kiosk.loop.run(returnAfterSourceHandled: true) }

            #expect(
                log.lines == [
                    "error: handler 'h': /bin/sh left child processes running, which were killed after \(timeout) s"
                ])
            return
        }
        Issue.record("the shell did not exit within 900 s: \(log.lines)")
    }

    @Test("on exit programs with a timeout are ended, and those without continue")
    func closing() throws {
        start(ExecSpec(arguments: ["/bin/sh", "-c", "trap '' TERM; sleep 1000 & wait; wait"], timeout: 1000))
        start(ExecSpec(arguments: ["/bin/sleep", "1000"], timeout: 1000))
        let limited = processes
        start(ExecSpec(arguments: ["/bin/sleep", "1000"]))
        let other = try #require(processes.first { !limited.contains($0) })

        kiosk.runner.close()
        // Reaped, or killed and waiting for that; for a running process this would block.
        for process in limited {
            var status: Int32 = 0
            #expect(waitpid(process, &status, 0) == -1 || status & 0x7f != 0)
        }
        #expect(kill(other, 0) == 0)
        killAll()
    }

    @Test(
        "a program runs as the layout's user with only that user's groups",
        .enabled(if: geteuid() == 0, "only root can change the user"))
    func otherUser() throws {
        _ = FileManager.default.createFile(atPath: output, contents: nil, attributes: [.posixPermissions: 0o666])
        run(
            [
                "/bin/sh", "-c",
                .init(verbatim: "id -un > \(output); grep -E 'Cap(Eff|Amb)' /proc/self/status >> \(output)"),
            ], user: "nobody")
        #expect(try printed() == "nobody\nCapEff:\t0000000000000000\nCapAmb:\t0000000000000000\n")
    }
}

extension Template: ExpressibleByStringLiteral {
    /// A template without placeholders.
    public init(stringLiteral text: String) { self.init(verbatim: text) }
}
