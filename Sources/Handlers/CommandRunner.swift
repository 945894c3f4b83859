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
    /// The maximum number of outputs that are read at once, including those of programs that left processes behind.
    /// Programs above this limit write to standard error.
    private static let outputLimit = 2 * ProgramCommand.limit

    private struct Running {
        let handler: HandlerOrigin
        let step: SourceLocation
        let program: String
        let timeout: TimeInterval?
        var output: ProgramOutput?
        var process: pid_t?
        /// Whether the program itself runs; other processes of its group may outlive it.
        var isRunning = true
    }

    /// Receives the output of programs; while it is nil, they write to standard error.
    package weak var log: (any ProgramLog)?
    /// Whether to refuse programs that another user could change, as the service does.
    var isStrict = false {
        didSet { (starter as? LocalPrograms)?.isStrict = isStrict }
    }

    /// Receives the failures of programs after their handler has returned.
    var didFail: (HandlerOrigin, HandlerFailure) -> Void = { _, _ in }

    private let loop: EpollRunLoop
    private let starter: any ProgramStarter
    private var entries: [Int: Running] = [:]
    private var lastEntry = 0
    private var outputs: [ObjectIdentifier: ProgramOutput] = [:]

    /// The programs that have started and not ended.
    var processes: [pid_t] { entries.values.filter(\.isRunning).compactMap(\.process) }

    /// The number of programs that run or are starting.
    var count: Int { entries.values.count(where: \.isRunning) }

    /// Whether the output of any program is being read.
    var isReading: Bool { !outputs.isEmpty }

    /// - Parameter socket: The socket of `touchd exec-programs`; nil to start programs as children of this process.
    init(loop: EpollRunLoop, socket: String? = CommandRunner.serviceSocket) {
        self.loop = loop
        starter = socket.map { RemotePrograms(path: $0, loop: loop) } ?? LocalPrograms(loop: loop)
    }

    /// The socket named in touchd.service; touchd-exec.service starts its programs.
    static let serviceSocket = ProcessInfo.processInfo.environment["TOUCHD_EXEC_SOCKET"].flatMap {
        $0.isEmpty ? nil : $0
    }

    /// Starts a program: each template is one argument, and the facts and the handler's arguments are in its environment.
    ///
    /// The limit counts per step, because all steps written in an `on:` have the same name.
    func start(_ spec: ExecSpec, at step: SourceLocation, _ facts: HandlerFacts) throws(HandlerFailure) {
        let own = entries.values.count { $0.isRunning && $0.step == step }
        guard own < spec.limit else { throw .tooManyPrograms(running: own, ofStep: true) }
        let all = count
        guard all < ProgramCommand.limit else { throw .tooManyPrograms(running: all, ofStep: false) }

        let command = ProgramCommand(
            arguments: spec.arguments.map { facts.fill($0) }, environment: facts.environment, user: spec.user,
            timeout: spec.timeout, input: spec.input.map { facts.fill($0) })
        let output = makeOutput(of: facts.handler)
        if let output { outputs[ObjectIdentifier(output)] = output }
        lastEntry += 1
        let number = lastEntry
        entries[number] = Running(
            handler: facts.origin, step: step, program: command.arguments.first ?? "", timeout: spec.timeout,
            output: output)
        do throws(HandlerFailure) {
            try starter.start(command, output: output?.programsEnd ?? STDERR_FILENO) { [weak self] event in
                self?.happened(event, to: number)
            }
        } catch {
            entries[number] = nil
            output?.close()
            throw error
        }
    }

    /// Called on exit: ends programs with a timeout, reads the output written so far, and stops reading.
    func close() {
        starter.close()
        for output in Array(outputs.values) { output.close() }
    }

    /// Why no program can run as a user; nil if it is possible.
    ///
    /// With a socket, touchd-exec.service checks when it starts a program whether it may change users.
    func problem(ofUser name: String) -> String? {
        ProgramTrust.problem(ofUser: name)?.description
            ?? (starter is LocalPrograms ? ProgramUser.problem(name) : nil)
    }

    private func makeOutput(of handler: String) -> ProgramOutput? {
        guard let log, outputs.count < Self.outputLimit else { return nil }
        return ProgramOutput(of: handler, log: log, loop: loop) { [weak self] output in
            self?.outputs[ObjectIdentifier(output)] = nil
        }
    }

    private func happened(_ event: ProgramEvent, to number: Int) {
        guard let entry = entries[number] else { return }
        func report(_ how: String) { didFail(entry.handler, .program(entry.program, how: how)) }
        switch event {
        case .started(let process):
            entries[number]?.process = process
            // Each line needs the process number.
            entry.output?.follow(process)
        case .notStarted(let reason):
            entries[number]?.isRunning = false
            entry.output?.close()
            didFail(entry.handler, .notStarted(program: entry.program, reason: reason))
        case .exited(let code):
            ended(number)
            if code != 0 { report("failed with exit status \(code)") }
        case .signalled(let signal):
            ended(number)
            report("was killed by signal \(signal)")
        case .timedOut:
            ended(number)
            // Reading the waiting output at the limited rate would take minutes.
            entry.output?.close()
            didFail(entry.handler, .timedOut(program: entry.program, after: entry.timeout ?? 0))
        case .leftoversEnded:
            report(
                "left child processes running, which were killed after \(FactValue.measure(entry.timeout ?? 0).text) s")
        case .gone:
            entries[number] = nil
            if entry.process == nil { entry.output?.close() }
            if entry.isRunning {
                report("was stopped together with touchd-exec.service; see 'systemctl status touchd-exec'")
            }
        }
    }

    private func ended(_ number: Int) {
        // The last output comes before the report of the end.
        entries[number]?.output?.readRest()
        entries[number]?.isRunning = false
        entries[number]?.output = nil
    }
}
