import EventLoop
import Foundation
import Logging
import Testing

@testable import Handlers
@testable import Layout

/// Programs that `touchd exec-programs` starts for touchd, over a real socket; here both ends run on one loop.
@Suite("Programs that another process starts for touchd") final class ProgramServerTests {
    private let loop: EpollRunLoop
    private let listener = ListeningPath()
    private let server: ProgramServer
    private let runner: CommandRunner
    private let output = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)").path
    private var told: [String] = []
    private let kiosk: HandlerKiosk

    init() throws {
        kiosk = try HandlerKiosk()
        loop = kiosk.loop
        server = ProgramServer(listener: listener.descriptor, loop: loop, logger: kiosk.log.logger)
        runner = CommandRunner(loop: loop, socket: listener.path)
        runner.didFail = { [unowned self] origin, failure in told.append("\(origin.name): \(failure)") }
    }

    deinit { unlink(output) }

    private func start(_ arguments: [Template], input: Template? = nil, timeout: TimeInterval? = nil, limit: Int = 16)
        throws
    {
        try runner.start(
            ExecSpec(arguments: arguments, input: input, timeout: timeout, limit: limit),
            of: CommandRunner.Step(),
            kiosk.facts(of: HandlerContext(.absent, .device("a panel"))))
    }

    private func step() { _ = loop.run(returnAfterSourceHandled: true) }

    private func waitForEnds() { while runner.count > 0 { step() } }

    private func printed() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

    @Test("a program gets its arguments, facts, environment and input, and can write to the log")
    func starts() throws {
        let log = RecordedProgramLog()
        runner.log = log
        try start(
            ["/bin/sh", "-c", .init(verbatim: "echo \"$1 $TOUCHD_DEVICE\"; env | grep -c ^PATH=; cat"), "sh", "a;  b"],
            input: Template(segments: [.text("-n "), .fact("device")]))
        while runner.count > 0 || runner.isReading { step() }
        #expect(log.lines.map(\.text) == ["a;  b a panel", "1", "-n a panel"])
        #expect(log.lines.allSatisfy { $0.handler == "test" && $0.process > 0 })
        #expect(told == [])
    }

    @Test("a program's exit status, signal or start error is returned as a failure")
    func ends() throws {
        try start(["/bin/sh", "-c", "exit 3"])
        try start(["/bin/sh", "-c", "kill -9 $$"])
        try start(["/nowhere/program"])
        waitForEnds()
        #expect(
            told.sorted() == [
                "test: /bin/sh failed with exit status 3", "test: /bin/sh was killed by signal 9",
                "test: cannot start /nowhere/program: No such file or directory (ENOENT)",
            ])
    }

    @Test("a step's limit counts programs that are still starting")
    func limit() throws {
        for _ in 0..<2 { try start(["/bin/sleep", "1000"], limit: 2) }
        #expect(throws: HandlerFailure.tooManyPrograms(running: 2, ofStep: true)) {
            try start(["/bin/sleep", "1000"], limit: 2)
        }
        while runner.processes.count < 2 { step() }
        for process in runner.processes { kill(process, SIGKILL) }
        waitForEnds()
    }

    @Test("if the server hangs, the start fails in time, the count falls, and the program does not start later")
    func hangingServer() throws {
        let path = ListeningPath()
        let runner = CommandRunner(loop: loop, socket: path.path, patience: .milliseconds(10))
        runner.didFail = { [unowned self] origin, failure in told.append("\(failure)") }
        try runner.start(
            ExecSpec(arguments: ["/bin/sleep", "1000"]), of: CommandRunner.Step(),
            kiosk.facts(of: HandlerContext(.absent, .device("d"))))
        while runner.count > 0 { loop.run(until: .after(.milliseconds(20))) }
        #expect(
            told == [
                "cannot start /bin/sleep: touchd-exec.service does not answer; see 'systemctl status touchd-exec'"
            ])
        // It continues: the command of the closed connection is before the next one.
        let late = ProgramServer(listener: path.descriptor, loop: loop, logger: kiosk.log.logger)
        let next = try PacketSocket(path: path.path)
        try next.send(
            ProgramCommand(arguments: ["/bin/sleep", "1000"], environment: []), descriptor: STDERR_FILENO)
        while late.processes.isEmpty { step() }
        #expect(late.processes.count == 1)
        for process in late.processes { kill(process, SIGKILL) }
        while !late.processes.isEmpty { step() }
    }

    /// Programs that an invented server starts; returns its end of each connection.
    private func startElsewhere(
        _ count: Int, with runner: CommandRunner, at path: ListeningPath
    ) throws -> [PacketSocket] {
        runner.didFail = { [unowned self] origin, failure in told.append("\(failure)") }
        return try (0..<count).map { _ in
            try runner.start(
                ExecSpec(arguments: ["/bin/true"]), of: CommandRunner.Step(),
                kiosk.facts(of: HandlerContext(.absent, .device("d"))))
            return PacketSocket(accept(path.descriptor, nil, nil))
        }
    }

    @Test("of large events, few are read in one pass of the loop, whatever the number of programs")
    func largeEvents() throws {
        let path = ListeningPath()
        let runner = CommandRunner(loop: loop, socket: path.path)
        let servers = try startElsewhere(4, with: runner, at: path)
        let reason = String(repeating: "x", count: 2000)
        for server in servers { for _ in 0..<4 { try server.send(ProgramEvent.notEnded(reason: reason)) } }
        _ = loop.run(until: .now)
        #expect(told.count == 2)
        while told.count < 16 { _ = loop.run(until: .now) }
    }

    @Test("a hijacked server can neither send events without end nor control a terminal")
    func hijacked() throws {
        let path = ListeningPath()
        let runner = CommandRunner(loop: loop, socket: path.path)
        let servers = try startElsewhere(2, with: runner, at: path)
        for _ in 0..<20 {
            try servers[0].send(ProgramEvent.notEnded(reason: "\u{1B}[2J"))
            try servers[1].send(ProgramEvent.notStarted(reason: "\u{1B}[2J"))
        }
        // The connections are closed on another thread.
        for server in servers {
            var entry = pollfd(fd: server.descriptor, events: 0, revents: 0)
            while entry.revents & Int16(POLLHUP) == 0 {
                _ = loop.run(until: .now)
                poll(&entry, 1, 10)
            }
        }
        #expect(
            told.sorted() == Array(repeating: "/bin/true cannot be ended: \u{FFFD}[2J", count: 8)
                + ["cannot start /bin/true: \u{FFFD}[2J"])
    }

    @Test("if the server hangs after the start, a timeout is touchd's too")
    func hangingAtTimeout() throws {
        let path = ListeningPath()
        let runner = CommandRunner(loop: loop, socket: path.path, patience: .milliseconds(10))
        runner.didFail = { [unowned self] origin, failure in told.append("\(failure)") }
        try runner.start(
            ExecSpec(arguments: ["/bin/sleep", "1000"], timeout: 0.1), of: CommandRunner.Step(),
            kiosk.facts(of: HandlerContext(.absent, .device("d"))))
        let server = PacketSocket(accept(path.descriptor, nil, nil))
        try server.send(ProgramEvent.started(process: getpid()))
        while runner.count > 0 { loop.run(until: .after(.milliseconds(20))) }
        #expect(
            told == [
                "/bin/sleep cannot be ended: touchd-exec.service does not answer; see 'systemctl status touchd-exec'"
            ])
    }

    @Test("a server that cannot end a program does not hang, and the program still counts")
    func answeringAtTimeout() throws {
        let path = ListeningPath()
        let runner = CommandRunner(loop: loop, socket: path.path, patience: .milliseconds(10))
        runner.didFail = { [unowned self] origin, failure in told.append("\(failure)") }
        // The second one's time is over after the first one's, and its server does hang.
        let servers = try [("/bin/true", 0.1), ("/bin/sleep", 0.2)].map { program, timeout in
            try runner.start(
                ExecSpec(arguments: [.init(verbatim: program)], timeout: timeout), of: CommandRunner.Step(),
                kiosk.facts(of: HandlerContext(.absent, .device("d"))))
            let server = PacketSocket(accept(path.descriptor, nil, nil))
            try server.send(ProgramEvent.started(process: getpid()))
            return server
        }
        try servers[0].send(ProgramEvent.notEnded(reason: "r"))
        while told.count < 2 { loop.run(until: .after(.milliseconds(20))) }
        #expect(
            told == [
                "/bin/true cannot be ended: r",
                "/bin/sleep cannot be ended: touchd-exec.service does not answer; see 'systemctl status touchd-exec'",
            ])
        #expect(runner.count == 1)
    }

    @Test("a program that exceeds its timeout is ended, with all its children")
    func timeout() throws {
        try start(["/bin/sh", "-c", "trap '' TERM; sleep 1000 & wait; wait"], timeout: 0.05)
        waitForEnds()
        #expect(told == ["test: /bin/sh was stopped after its timeout of 0.05 s"])
        #expect(server.processes == [])
    }

    @Test(
        "a program that the kernel does not let touchd end is reported, and its end is not taken for touchd's work",
        .enabled(if: geteuid() == 0, "the program must run as another user"))
    func notPermitted() throws {
        try start(["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "/bin/sleep", "1000"], timeout: 0.05)
        while server.processes.isEmpty { step() }
        let process = try #require(server.processes.first)
        var status = stat()
        while stat("/proc/\(process)", &status) == 0, status.st_uid != 65534 { sched_yield() }
        try Capability.withoutKill { while told.isEmpty { step() } }
        #expect(told == ["test: /usr/bin/setpriv cannot be ended: kill: Operation not permitted (EPERM)"])
        kill(process, SIGKILL)
        waitForEnds()
        #expect(told.dropFirst() == ["test: /usr/bin/setpriv was killed by signal 9"])
    }

    @Test("a program ends when touchd does, though it has no timeout")
    func endsWithTouchd() throws {
        let socket = try PacketSocket(path: listener.path)
        try socket.send(
            ProgramCommand(arguments: ["/bin/sleep", "1000"], environment: []), descriptor: STDERR_FILENO)
        while server.processes.isEmpty { step() }
        let process = try #require(server.processes.first)
        // As the kernel does when touchd exits for any reason.
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        while !server.processes.isEmpty { step() }
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test("a full server refuses a program at once")
    func full() throws {
        let command = ProgramCommand(arguments: ["/bin/sleep", "1000"], environment: [])
        let sockets = try (0..<ProgramServer.connectionLimit).map { number in
            let socket = try PacketSocket(path: listener.path)
            try socket.send(command, descriptor: STDERR_FILENO)
            while server.processes.count <= number { step() }
            return socket
        }
        try start(["/bin/true"])
        waitForEnds()
        #expect(told == ["test: cannot start /bin/true: 128 programs are being ended"])
        for socket in sockets { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }
        while !server.processes.isEmpty { step() }
    }

    @Test("a connection that sends anything but one command and a descriptor is closed")
    func garbage() throws {
        let socket = try PacketSocket(path: listener.path)
        try socket.send(["not": "a command"], descriptor: STDERR_FILENO)
        let bare = try PacketSocket(path: listener.path)
        try bare.send(ProgramCommand(arguments: ["/bin/true"], environment: []))
        for connection in [socket, bare] {
            var received = connection.receive(ProgramEvent.self)
            while case .nothing = received {
                // Another thread closes the server's end.
                _ = loop.run(until: .after(.milliseconds(5)), returnAfterSourceHandled: true)
                received = connection.receive(ProgramEvent.self)
            }
            guard case .end = received else {
                Issue.record("the connection is still open")
                continue
            }
        }
        #expect(server.processes == [])
    }

    @Test("a hung server gets no stream of the program that asks whether it answers, whose reader would wait for it")
    func probe() throws {
        let path = ListeningPath()
        #expect(
            PacketSocket.programsProblem(at: path.path, within: .milliseconds(1))
                == "touchd-exec.service does not answer; see 'systemctl status touchd-exec'")
        let server = PacketSocket(accept(path.descriptor, nil, nil))
        guard case .value(_, let output?) = server.receive(ProgramCommand.self, takesDescriptor: true) else {
            Issue.record("the question has no command or no descriptor")
            return
        }
        var passed = stat(), null = stat()
        #expect(fstat(output.number, &passed) == 0 && stat("/dev/null", &null) == 0)
        #expect(passed.st_mode & S_IFMT == S_IFCHR && passed.st_rdev == null.st_rdev)
    }

    @Test("without a listener no program starts, and the failure names the unit to start")
    func nothingListens() {
        let runner = CommandRunner(loop: loop, socket: "/nowhere/touchd.exec")
        let failure = #expect(throws: HandlerFailure.self) {
            try runner.start(
                ExecSpec(arguments: ["/bin/true"]), of: CommandRunner.Step(),
                kiosk.facts(of: HandlerContext(.absent, .device("d"))))
        }
        #expect(failure?.description.contains("run: systemctl start touchd-exec.socket") == true)
    }
}

/// The capabilities of this thread, which capset(2) changes without those of the others.
private enum Capability {
    private typealias Header = (version: UInt32, process: Int32)
    private typealias Sets = (effective: UInt32, permitted: UInt32, inheritable: UInt32)
    private typealias Call = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32

    /// Runs a closure without CAP_KILL (5).
    static func withoutKill(_ body: () throws -> Void) throws {
        // glibc exports them without a declaration.
        let get = unsafeBitCast(try #require(dlsym(nil, "capget")), to: Call.self)
        let set = unsafeBitCast(try #require(dlsym(nil, "capset")), to: Call.self)
        var header: Header = (0x2008_0522, 0)
        var sets: (Sets, Sets) = ((0, 0, 0), (0, 0, 0))
        try #require(get(&header, &sets) == 0)
        sets.0.effective &= ~(1 << 5)
        try #require(set(&header, &sets) == 0)
        defer {
            sets.0.effective |= 1 << 5
            _ = set(&header, &sets)
        }
        try body()
    }
}
