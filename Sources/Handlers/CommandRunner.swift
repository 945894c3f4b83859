import Basics
import CLinux
import EventLoop
import Foundation
import Layout

/// Starts programs for handlers and reports how they end, without blocking.
///
/// A program writes to the log at a limited rate, or to touchd's standard error if there is no log. Each program leads
/// its own process group. A program that writes endlessly, ignores signals or forks repeatedly reaches the service's
/// limits and delays nothing else.
package final class CommandRunner {
    /// The maximum number of programs, including those that left processes behind, whose output is still read.
    private static let entryLimit = 2 * ProgramCommand.limit

    /// What a reload does not change about a step: its handler and the place in it, or, for an action in an `on:`, its
    /// view, trigger and arguments.
    struct Step: Equatable {
        var owner = "", view: String?, trigger: HandlerBinding.Trigger?
        var place: Int?
        var arguments: [Template] = []
    }

    private struct Running {
        let handler: HandlerOrigin
        let step: Step
        let program: String
        let timeout: TimeInterval?
        var process: pid_t?
        /// Whether the program itself runs; other processes of its group may outlive it.
        var isRunning = true
        /// Whether it was reported that it cannot be ended.
        var isUnstoppable = false
        /// Whether no more events follow; the processes it left behind may still write.
        var isGone = false
    }

    /// Receives the output of programs; while it is nil, they write to standard error.
    package weak var log: (any ProgramLog)?
    /// Whether to refuse programs that another user could change, as the service does.
    var isStrict: Bool {
        get { local.isStrict }
        set { local.isStrict = newValue }
    }

    /// Receives the failures of programs after their handler has returned.
    var didFail: (HandlerOrigin, HandlerFailure) -> Void = { _, _ in }

    private let loop: EpollRunLoop
    private let local: LocalPrograms
    /// Starts the programs if touchd-exec.service does.
    private let remote: RemotePrograms?
    private var entries: [Int: Running] = [:]
    private var lastEntry = 0
    private var outputs: [Int: ProgramOutput] = [:]

    /// The programs that have started and not ended.
    var processes: [pid_t] { entries.values.filter(\.isRunning).compactMap(\.process) }

    /// The number of programs that run or are starting.
    var count: Int { entries.values.count(where: \.isRunning) }

    /// Whether the output of any program is being read.
    var isReading: Bool { !outputs.isEmpty }

    /// - Parameters:
    ///   - socket: The socket of `touchd exec-programs`; nil to start programs as children of this process.
    ///   - patience: The time for that process to answer.
    init(loop: EpollRunLoop, socket: String? = CommandRunner.serviceSocket, patience: Duration = .seconds(10)) {
        self.loop = loop
        local = LocalPrograms(loop: loop)
        remote = socket.map { RemotePrograms(path: $0, loop: loop, patience: patience) }
    }

    /// The socket named in touchd.service; touchd-exec.service starts its programs.
    static let serviceSocket = ProcessInfo.processInfo.environment["TOUCHD_EXEC_SOCKET"].flatMap {
        $0.isEmpty ? nil : $0
    }

    /// Starts a program: each template is one argument, and the facts and the handler's arguments are in its environment.
    ///
    /// The limit counts per step, because all steps written in an `on:` have the same name. Processes that a program left
    /// behind count as one program of their step, so that they hold up no other.
    func start(_ spec: ExecSpec, of step: Step, _ facts: HandlerFacts) throws(HandlerFailure) {
        let own = entries.values.count { $0.step == step }
        guard own < spec.limit else { throw .tooManyPrograms(running: own, ofStep: true) }
        let all = count
        guard all < ProgramCommand.limit else { throw .tooManyPrograms(running: all, ofStep: false) }
        guard entries.count < Self.entryLimit else {
            throw .tooManyPrograms(running: entries.count, ofStep: false)
        }

        let command = ProgramCommand(
            arguments: spec.arguments.map { facts.fill($0) }, environment: facts.environment, user: spec.user,
            timeout: spec.timeout, input: spec.input.map { facts.fill($0) })
        let program = command.arguments.first ?? ""
        lastEntry += 1
        let number = lastEntry
        let output = try log.map { log throws(HandlerFailure) in
            // Never touchd's standard error, where the program could write entries in touchd's name.
            guard
                let output = ProgramOutput(
                    of: facts.handler, log: log, loop: loop, didEnd: { [weak self] _ in self?.outputEnded(number) })
            else { throw .notStarted(program: program, reason: "\(SystemError(call: "pipe2", errno: errno))") }
            return output
        }
        outputs[number] = output
        entries[number] = Running(
            handler: facts.origin, step: step, program: program, timeout: spec.timeout)
        do throws(HandlerFailure) {
            let end = output?.programsEnd ?? STDERR_FILENO
            let report = { [weak self] (event: ProgramEvent) -> Void in self?.happened(event, to: number) }
            if let remote {
                try remote.start(command, output: end, report: report)
            } else {
                try local.start(command, output: end, report: report)
            }
        } catch {
            entries[number] = nil
            output?.close()
            throw error
        }
    }

    /// Called on exit: ends programs with a timeout, reads the output written so far, and stops reading.
    func close() {
        local.close()
        for output in Array(outputs.values) { output.close() }
    }

    /// Why no program can run as a user; nil if it is possible.
    ///
    /// With a socket, touchd-exec.service checks when it starts a program whether it may change users.
    func problem(ofUser name: String) -> String? {
        ProgramTrust.problem(ofUser: name)?.description
            ?? (remote == nil ? ProgramUser.problem(name) : nil)
    }

    private func outputEnded(_ number: Int) {
        outputs[number] = nil
        if entries[number]?.isGone == true { entries[number] = nil }
    }

    private func happened(_ event: ProgramEvent, to number: Int) {
        guard let entry = entries[number] else { return }
        func report(_ how: String) { didFail(entry.handler, .program(entry.program, how: how)) }
        switch event {
        case .started(let process):
            entries[number]?.process = process
            // Each line needs the process number.
            outputs[number]?.follow(process)
        case .notStarted(let reason):
            entries[number]?.isRunning = false
            outputs[number]?.close()
            didFail(entry.handler, .notStarted(program: entry.program, reason: reason.printable))
        case .exited(let code):
            ended(number)
            if code != 0 { report("failed with exit status \(code)") }
        case .signalled(let signal):
            ended(number)
            report("was killed by signal \(signal)")
        case .timedOut:
            ended(number)
            // Reading the waiting output at the limited rate would take minutes.
            outputs[number]?.close()
            didFail(entry.handler, .timedOut(program: entry.program, after: entry.timeout ?? 0))
        case .leftoversEnded:
            report(
                "left child processes running, which were killed after \(FactValue.measure(entry.timeout ?? 0).text) s")
        case .notEnded(let reason):
            entries[number]?.isUnstoppable = true
            report("cannot be ended: \(reason.printable)")
        case .gone:
            entries[number]?.isRunning = false
            entries[number]?.isGone = true
            if entry.process == nil { outputs[number]?.close() }
            if outputs[number] == nil { entries[number] = nil }
            if entry.isRunning, !entry.isUnstoppable {
                report("was stopped together with touchd-exec.service; see 'systemctl status touchd-exec'")
            }
        }
    }

    private func ended(_ number: Int) {
        // The last output comes before the report of the end.
        outputs[number]?.readRest()
        entries[number]?.isRunning = false
    }
}
