import CLinux
import EventLoop
import Foundation
import Layout

/// Starts programs as children of this process, enforces their timeouts and reaps them.
final class LocalPrograms: ProgramStarter {
    /// Whether to refuse programs that another user could change, as the service does.
    var isStrict = false
    private let loop: EpollRunLoop
    private var programs: [ObjectIdentifier: LocalProgram] = [:]

    init(loop: EpollRunLoop) { self.loop = loop }

    func start(
        _ command: ProgramCommand, output: Int32, report: @escaping (ProgramEvent) -> Void
    ) throws(HandlerFailure) {
        _ = try launch(command, output: output, report: report)
    }

    /// Starts a program and returns it, so that the caller can end it.
    func launch(
        _ command: ProgramCommand, output: Int32, report: @escaping (ProgramEvent) -> Void
    ) throws(HandlerFailure) -> LocalProgram {
        let name = command.arguments.first ?? ""
        let opened = try OpenedProgram(command, isStrict: isStrict)
        let process: pid_t
        do {
            process = try ChildProcess.spawn(opened, environment: command.environment, output: output)
        } catch {
            throw .notStarted(program: name, reason: "\(error)")
        }
        // The kernel reused the number, so no process is left in the older group of that number.
        for program in programs.values where program.process == process { program.forget() }
        do {
            let program = try LocalProgram(process, timeout: command.timeout, loop: loop)
            programs[ObjectIdentifier(program)] = program
            program.report = { [weak self, unowned program] event in
                if event == .gone { self?.programs[ObjectIdentifier(program)] = nil }
                report(event)
            }
            report(.started(process: process))
            return program
        } catch {
            // Without a pidfd its end would never be noticed.
            kill(-process, SIGKILL)
            waitpid(process, nil, 0)
            throw .notStarted(program: name, reason: "\(error)")
        }
    }

    /// Ends programs with a timeout: SIGTERM, then SIGKILL 2 seconds later for those still running. Waits at most 2
    /// seconds.
    func close() {
        let limited = programs.values.filter(\.hasTimeout)
        for program in limited { kill(-program.process, SIGTERM) }
        let limit = Deadline.after(ProgramCommand.grace)
        // `isAlive` reaps each program, so check all of them.
        while !limited.filter(\.isAlive).isEmpty, !limit.isPast { poll(nil, 0, 10) }
        for program in limited {
            kill(-program.process, SIGKILL)
            program.forget()
        }
    }
}

/// A running child process, its group and its timeout.
final class LocalProgram {
    /// The number of the process and of its group.
    let process: pid_t
    let hasTimeout: Bool
    var report: (ProgramEvent) -> Void = { _ in }

    private let loop: EpollRunLoop
    private var source: ChildProcessSource?
    private var timer: RunLoopTimer?
    private var isEnding = false
    private var hasTimedOut = false

    fileprivate init(_ process: pid_t, timeout: TimeInterval?, loop: EpollRunLoop) throws(SystemError) {
        self.process = process
        self.loop = loop
        hasTimeout = timeout != nil
        source = loop.add(try ChildProcessSource(process: process) { [weak self] status in self?.ended(status) })
        if let timeout { schedule("exec.timeout", after: .seconds(timeout)) { $0.timedOut() } }
    }

    /// Whether a process of its group still exists; reaps the program itself.
    fileprivate var isAlive: Bool {
        waitpid(process, nil, WNOHANG)
        return kill(-process, 0) == 0
    }

    /// Ends the whole group: SIGTERM now, SIGKILL 2 seconds later.
    func end() {
        guard !isEnding else { return }
        isEnding = true
        kill(-process, SIGTERM)
        schedule("exec.kill", after: ProgramCommand.grace) { program in
            kill(-program.process, SIGKILL)
            if program.source == nil { program.finish() }
        }
    }

    /// Stops signaling the group, because its number may be reused.
    fileprivate func forget() {
        source?.invalidate()
        finish()
    }

    private func timedOut() {
        if source == nil {
            guard kill(-process, 0) == 0 else { return finish() }
            report(.leftoversEnded)
        } else {
            hasTimedOut = true
        }
        end()
    }

    private func ended(_ status: ExitStatus) {
        source = nil
        if hasTimedOut {
            report(.timedOut)
        } else {
            switch status {
            case .exited(let code): report(.exited(code))
            case .signalled(let number): report(.signalled(number))
            }
        }
        if isEnding {
            // The rest of its group received the same signal and had the same time.
            kill(-process, SIGKILL)
            finish()
        } else if timer == nil || kill(-process, 0) != 0 {
            finish()
        }
    }

    private func finish() {
        timer?.invalidate()
        timer = nil
        let report = report
        self.report = { _ in }
        report(.gone)
    }

    private func schedule(_ name: String, after delay: Duration, _ body: @escaping (LocalProgram) -> Void) {
        timer?.invalidate()
        timer = loop.add(RunLoopTimer(name: name, after: delay) { [weak self] _ in self.map(body) })
    }
}

/// `posix_spawn` for the children of a daemon.
enum ChildProcess {
    /// Starts a program that was opened and checked.
    ///
    /// The child reads `/dev/null`, writes to `output`, and inherits no other descriptor. It has no blocked or ignored
    /// signals, leads its own process group, and does not inherit the variables by which touchd reports to systemd.
    ///
    /// - Parameters:
    ///   - output: The child's standard output and standard error.
    ///   - passed: A descriptor that is the child's descriptor 3; nil for none.
    static func spawn(
        _ program: OpenedProgram, environment: [String], output: Int32 = STDERR_FILENO, passing passed: Int32? = nil
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        try check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init")
        defer { posix_spawn_file_actions_destroy(&actions) }
        try check(
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
            "posix_spawn_file_actions_addopen")
        // Not touchd's own standard output, which may carry lines for another program.
        for stream in [STDOUT_FILENO, STDERR_FILENO] {
            try check(
                posix_spawn_file_actions_adddup2(&actions, output, stream), "posix_spawn_file_actions_adddup2")
        }
        let first = STDERR_FILENO + 1
        if let passed {
            try check(posix_spawn_file_actions_adddup2(&actions, passed, first), "posix_spawn_file_actions_adddup2")
        }
        // Except the folder from which the program is executed; that descriptor closes on execution (O_CLOEXEC).
        for descriptor in (first + (passed == nil ? 0 : 1))..<program.folder {
            try check(posix_spawn_file_actions_addclose(&actions, descriptor), "posix_spawn_file_actions_addclose")
        }
        try check(
            posix_spawn_file_actions_addclosefrom_np(&actions, program.folder + 1),
            "posix_spawn_file_actions_addclosefrom_np")

        var attributes = posix_spawnattr_t()
        try check(posix_spawnattr_init(&attributes), "posix_spawnattr_init")
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        try check(posix_spawnattr_setsigmask(&attributes, &none), "posix_spawnattr_setsigmask")
        try check(posix_spawnattr_setsigdefault(&attributes, &all), "posix_spawnattr_setsigdefault")
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        try check(posix_spawnattr_setflags(&attributes, Int16(flags)), "posix_spawnattr_setflags")

        let argv = CStringArray(program.arguments)
        let envp = CStringArray(inheritedEnvironment + environment)
        var process: pid_t = 0
        try check(
            posix_spawn(
                &process, "/proc/self/fd/\(program.folder)/\(program.name)", &actions, &attributes, argv.pointers,
                envp.pointers), "posix_spawn")
        return process
    }

    // Read once, because it does not change while touchd runs.
    private static let inheritedEnvironment = inherited(from: ProcessInfo.processInfo.environment)

    /// The part of touchd's environment that a child inherits, as `NAME=value`.
    static func inherited(from environment: [String: String]) -> [String] {
        let ours: Set = [
            "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
        ]
        // With two variables of one name a program sees the first, so facts from touchd's own environment must not be
        // inherited.
        return environment.filter { !ours.contains($0.key) && !$0.key.hasPrefix("TOUCHD_") }.map {
            "\($0.key)=\($0.value)"
        }
    }

    private static func check(_ result: Int32, _ call: String) throws(SystemError) {
        guard result == 0 else { throw SystemError(call: call, errno: result) }
    }
}

/// Strings as the null-terminated array of C strings that `posix_spawn` takes, freed with the object.
private nonisolated final class CStringArray {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

    deinit { for pointer in pointers { free(pointer) } }
}
