import CLinux
import EventLoop
import Foundation
import Layout

/// Starts programs for handlers and notices how they end, without ever waiting for one.
///
/// A program writes to touchd's standard error, or where there is a log for it, to that, at a bounded pace; each is a process
/// group of its own. So one that writes without end, ignores signals or multiplies is a matter between it and the service's
/// limits.
final class CommandRunner {
    /// How many programs may run at once, of all handlers: a finger drumming on a button must not fill the machine with
    /// processes.
    static let concurrencyLimit = 64
    /// How many programs' outputs are read at once: those of programs that left others behind, too. What is started beyond
    /// that writes to standard error.
    private static let outputLimit = 2 * concurrencyLimit
    /// How long a program that was told to end has before it is killed.
    static let grace = Duration.seconds(2)

    private struct Running {
        let handler: String
        let step: SourceLocation
        let program: String
        let source: ChildProcessSource
        var output: ProgramOutput?
        var timer: RunLoopTimer?
        var timeout: TimeInterval?
    }

    /// Takes what programs write; while there is none, they write to standard error.
    weak var log: (any ProgramLog)?

    private let loop: EpollRunLoop
    private let failures: LateFailures
    private var running: [pid_t: Running] = [:]
    /// Programs that are over and left others in their process group, which may run as long as they might have.
    private var leftovers: [pid_t: Running] = [:]
    /// Programs whose end nothing tells of; they are reaped when the next one starts.
    private var unfollowed: [pid_t] = []
    private var outputs: [ObjectIdentifier: ProgramOutput] = [:]

    /// The programs that have been started and have not ended.
    var processes: [pid_t] { Array(running.keys) }

    /// Whether some program's output is read.
    var isReading: Bool { !outputs.isEmpty }

    /// - Parameters:
    ///   - loop: Reports the ends of programs.
    ///   - failures: Is told of programs that ended badly.
    init(loop: EpollRunLoop, failures: LateFailures) {
        self.loop = loop
        self.failures = failures
    }

    /// Starts a program, each template one word, with the facts in its environment.
    ///
    /// The limit is that of the step: all that stand in an `on:` have one name.
    func start(_ spec: ExecSpec, at step: SourceLocation, _ facts: OccasionFacts) throws(HandlerFailure) {
        let own = running.values.count { $0.step == step }
        guard own < spec.limit else { throw .tooManyPrograms(running: own, ofStep: true) }
        let all = running.count + unfollowed.count
        guard all < Self.concurrencyLimit else { throw .tooManyPrograms(running: all, ofStep: false) }
        unfollowed.removeAll { waitpid($0, nil, WNOHANG) != 0 }

        let words = spec.arguments.map { facts.fill($0) }
        guard let program = words.first, program.hasPrefix("/") else {
            throw .notStarted(program: "'\(words.first ?? "")'", reason: "it is not an absolute path")
        }
        let output = makeOutput(of: facts.handler)
        let process: pid_t
        do {
            process = try ChildProcess.spawn(
                (spec.user.map(ProgramUser.command) ?? []) + words, environment: facts.environment,
                output: output?.programsEnd ?? STDERR_FILENO)
        } catch {
            throw .notStarted(program: program, reason: "\(error)")
        }
        if let output {
            outputs[ObjectIdentifier(output)] = output
            output.follow(process)
        }
        follow(process, program, output, spec.timeout, of: facts.handler, at: step)
    }

    /// Reads no program's output any more; what is written already is taken.
    func closeOutputs() {
        for output in Array(outputs.values) { output.close() }
    }

    private func makeOutput(of handler: String) -> ProgramOutput? {
        guard let log, outputs.count < Self.outputLimit else { return nil }
        return ProgramOutput(of: handler, log: log, loop: loop) { [weak self] output in
            self?.outputs[ObjectIdentifier(output)] = nil
        }
    }

    private func follow(
        _ process: pid_t, _ program: String, _ output: ProgramOutput?, _ timeout: TimeInterval?, of handler: String,
        at step: SourceLocation
    ) {
        // The number is free again, so nothing is left of the group that had it.
        leftovers.removeValue(forKey: process)?.timer?.invalidate()
        do {
            let source = try ChildProcessSource(process: process) { [weak self] status in self?.ended(process, status) }
            var entry = Running(handler: handler, step: step, program: program, source: source, output: output)
            if let timeout {
                let timer = RunLoopTimer(name: "exec.timeout", after: .seconds(timeout)) { [weak self] _ in
                    self?.timedOut(process, after: timeout)
                }
                loop.add(timer)
                entry.timer = timer
            }
            running[process] = entry
            loop.add(source)
        } catch {
            unfollowed.append(process)
            failures.tell(.program(program, how: "runs, but how it ends will not be known: \(error)"), of: handler)
        }
    }

    private func timedOut(_ process: pid_t, after timeout: TimeInterval) {
        if running[process] == nil, kill(-process, 0) != 0 {
            leftovers[process] = nil
            return
        }
        running[process]?.timeout = timeout
        kill(-process, SIGTERM)
        let timer = RunLoopTimer(name: "exec.kill", after: Self.grace) { [weak self] _ in
            kill(-process, SIGKILL)
            self?.leftovers[process] = nil
        }
        loop.add(timer)
        running[process]?.timer = timer
        guard let left = leftovers[process] else { return }
        leftovers[process]?.timer = timer
        let how = "left programs running, which were ended after \(FactValue.measure(timeout).text) s"
        failures.tell(.program(left.program, how: how), of: left.handler)
    }

    private func ended(_ process: pid_t, _ status: ExitStatus) {
        guard let entry = running.removeValue(forKey: process) else { return }
        entry.source.invalidate()
        // Its last words come before what is said of its end.
        entry.output?.takeRest()
        if let timeout = entry.timeout {
            entry.timer?.invalidate()
            // Who had too little time with too many words is not listened to for minutes more.
            entry.output?.close()
            // Whatever it left in its process group had its time as well.
            kill(-process, SIGKILL)
            return failures.tell(.timedOut(program: entry.program, after: timeout), of: entry.handler)
        }
        if let timer = entry.timer {
            if kill(-process, 0) == 0 { leftovers[process] = entry } else { timer.invalidate() }
        }
        switch status {
        case .exited(0): break
        case .exited(let code):
            failures.tell(.program(entry.program, how: "failed with exit status \(code)"), of: entry.handler)
        case .signalled(let number):
            failures.tell(.program(entry.program, how: "was killed by signal \(number)"), of: entry.handler)
        }
    }
}
