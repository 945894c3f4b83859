import CLinux
import EventLoop
import Foundation
import Layout

/// Starts programs as children of this process, enforces their timeouts and reaps them.
final class LocalPrograms {
    /// Whether to refuse programs that another user could change, as the service does.
    var isStrict = false
    private let loop: EpollRunLoop
    private var programs: [ObjectIdentifier: LocalProgram] = [:]

    init(loop: EpollRunLoop) {
        self.loop = loop
        // A parent that ignores it passes that on, and then the kernel discards the programs' statuses.
        signal(SIGCHLD, SIG_DFL)
    }

    /// Starts a program that writes to `output`, which the caller closes; returns it, so that the caller can end it.
    ///
    /// - Parameter report: Called on the loop's thread, first before this returns.
    @discardableResult
    func start(
        _ command: ProgramCommand, output: Int32, report: @escaping (ProgramEvent) -> Void
    ) throws(HandlerFailure) -> LocalProgram {
        let name = command.arguments.first ?? ""
        let opened = try OpenedProgram(command, isStrict: isStrict)
        let process: pid_t
        do {
            process = try ChildProcess.spawn(
                opened, environment: command.environment, input: command.input, output: output)
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
    private var hasFailedToSignal = false

    fileprivate init(_ process: pid_t, timeout: TimeInterval?, loop: EpollRunLoop) throws(SystemError) {
        self.process = process
        self.loop = loop
        hasTimeout = timeout != nil
        source = try loop.add(ChildProcessSource(process: process) { [weak self] status in self?.ended(status) })
        if let timeout { schedule("exec.timeout", after: .seconds(timeout)) { $0.timedOut() } }
    }

    /// Whether a process of its group still exists; reaps the program itself.
    fileprivate var isAlive: Bool {
        waitpid(process, nil, WNOHANG)
        return hasGroup
    }

    /// Whether a process of its group exists, also one that runs as another user.
    private var hasGroup: Bool { kill(-process, 0) == 0 || errno == EPERM }

    /// Signals the whole group; reports if the kernel refuses it.
    private func signal(_ number: Int32) {
        guard kill(-process, number) != 0, errno != ESRCH, !hasFailedToSignal else { return }
        hasFailedToSignal = true
        report(.notEnded(reason: "\(SystemError(call: "kill", errno: errno))"))
    }

    /// Ends the whole group: SIGTERM now, SIGKILL 2 seconds later.
    func end() {
        guard !isEnding else { return }
        isEnding = true
        signal(SIGTERM)
        schedule("exec.kill", after: ProgramCommand.grace) { program in
            program.signal(SIGKILL)
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
            guard hasGroup else { return finish() }
            report(.leftoversEnded)
        } else {
            hasTimedOut = true
        }
        end()
    }

    private func ended(_ status: ExitStatus) {
        source = nil
        // A program whose signals the kernel refused has ended by itself.
        if hasTimedOut, !hasFailedToSignal {
            report(.timedOut)
        } else {
            switch status {
            case .exited(let code): report(.exited(code))
            case .signalled(let number): report(.signalled(number))
            // Not while SIGCHLD is at its default.
            case .unknown: break
            }
        }
        if isEnding {
            // The rest of its group received the same signal and had the same time.
            signal(SIGKILL)
            finish()
        } else if timer == nil || !hasGroup {
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
