import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import Layout

/// The output of handlers' programs on its way to a log.
@Suite("The output of handlers' programs") final class ProgramOutputTests {
    private let kiosk: Kiosk
    private let log = RecordedProgramLog()

    init() throws {
        kiosk = try Kiosk()
        kiosk.runner.programLog = log
    }

    private var programs: CommandRunner { kiosk.runner.actions.programs }

    /// Starts a script by a handler named `chime`.
    private func start(_ script: String, timeout: TimeInterval? = nil) {
        var exec = ExecSpec(arguments: ["/bin/sh", "-c", .init(verbatim: script)])
        exec.timeout = timeout
        let step = HandlerStep(
            kind: .action(.exec(exec)),
            location: SourceLocation(file: "kiosk.yaml", line: 1, column: 1))
        kiosk.runner.define([HandlerSpec(name: "chime", location: step.location, steps: [step])])
        kiosk.runner.run("chime", for: Occasion(.absent, .device("d")))
    }

    /// Runs the loop until all programs have ended and nothing can write any more.
    private func settle() {
        while !programs.processes.isEmpty || programs.isReading {
            _ = kiosk.loop.run(returnAfterSourceHandled: true)
        }
    }

    @Test("each line of a program's output is an entry with handler name and process")
    func lines() throws {
        start("echo $$; echo 'two  words' >&2; printf 'without an end'")
        settle()
        let process = try #require(log.lines.first.flatMap { Int32($0.text) })
        #expect(log.lines.map(\.text) == ["\(process)", "two  words", "without an end"])
        #expect(log.lines.allSatisfy { $0.handler == "chime" && $0.process == process && $0.priority == 6 })
    }

    @Test("a prefix <0> to <7> sets a line's priority; anything similar stays in the line")
    func priorities() {
        start(#"printf '<3>broken\n<7>detail\n<9>nine\n<3\n<>\n'"#)
        settle()
        #expect(log.lines.map(\.priority) == [3, 7, 6, 6, 6])
        #expect(log.lines.map(\.text) == ["broken", "detail", "<9>nine", "<3", "<>"])
    }

    @Test("empty lines and trailing white space are removed, and invalid UTF-8 is marked")
    func odd() {
        start(#"printf '\n  \nprogress 50%%  \r\n\377\n'"#)
        settle()
        #expect(log.lines.map(\.text) == ["progress 50%", "\u{FFFD}"])
    }

    @Test("a line of more than 4096 bytes is split without loss")
    func longLine() {
        start("head -c 10000 /dev/zero | tr '\\0' x; echo; echo after")
        settle()
        #expect(log.lines.map(\.text.count) == [4096, 4096, 1808, 5])
        #expect(log.lines.last?.text == "after")
    }

    @Test("a program's last output comes before the report of its end")
    func lastWords() {
        var order: [String] = []
        log.onLine = { order.append($0.text) }
        kiosk.runner.didFailLater = { _, failure in order.append("\(failure)") }
        start("echo going down; exit 3")
        settle()
        #expect(order == ["going down", "/bin/sh failed with exit status 3"])
    }

    @Test(
        "endless output is limited to 500 lines and 20 per second")
    func flood() throws {
        let start = ContinuousClock.now
        self.start("exec yes")
        let process = try #require(programs.processes.first)
        // Another handler's program is still read.
        while log.lines.count < 500 { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
        self.start("echo other")
        while !log.lines.contains(where: { $0.text == "other" }) {
            _ = kiosk.loop.run(until: .after(.milliseconds(50)), returnAfterSourceHandled: true)
        }
        // It sleeps in its write, with a full pipe.
        while try state(of: process) != "S" {}
        let passed = (ContinuousClock.now - start) / .seconds(1)
        let taken = log.lines.count { $0.process == process }
        #expect(Double(taken) <= 500 + 20 * passed + 1)
        #expect(log.lines.filter { $0.process == process }.allSatisfy { $0.text == "y" })

        kill(process, SIGKILL)
        while programs.processes.contains(process) { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
    }

    @Test("gigabytes without a newline need no more memory than a line")
    func flatMemory() throws {
        start("exec cat /dev/zero")
        let process = try #require(programs.processes.first)
        while log.lines.count < 500 { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
        #expect(log.lines.allSatisfy { $0.text.utf8.count <= ProgramOutput.lineLimit })
        kill(process, SIGKILL)
        while !programs.processes.isEmpty { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
    }

    @Test("while the log accepts nothing programs wait, and no output is lost")
    func waiting() throws {
        log.hasRoom = false
        start("echo one; echo two")
        while !programs.processes.isEmpty { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
        #expect(log.lines.isEmpty && programs.isReading)
        log.hasRoom = true
        settle()
        #expect(log.lines.map(\.text) == ["one", "two"])
    }

    @Test("processes that outlive a program are read until they end")
    func leftBehind() throws {
        // The shell exists until it is reaped, so this process writes after that.
        start("sh -c 'while kill -0 '$$' 2>/dev/null; do :; done; echo orphan' &")
        settle()
        #expect(log.lines.last?.text == "orphan")
    }

    @Test("a program ended at its timeout is not read for minutes more")
    func ended() {
        // A busy machine may not start it within the first timeout.
        for timeout in [1.0, 30, 900] where log.lines.isEmpty {
            start("exec yes", timeout: timeout)
            while !programs.processes.isEmpty { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
            #expect(!programs.isReading)
            #expect(Double(log.lines.count) < 1000 + 20 * timeout)
        }
        #expect(!log.lines.isEmpty)
    }

    @Test("a finished program leaves no descriptor behind")
    func descriptors() throws {
        func count() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return target?.hasPrefix("pipe:") == true
            }
        }
        start("echo warm")
        settle()
        let before = try count()
        // Other tests open and close pipes at the same time.
        let many = 200
        for _ in 0..<many {
            start("echo again")
            settle()
            start("/nowhere")
            settle()
        }
        #expect(try count() < before + many)
    }

    private func state(of process: pid_t) throws -> String {
        let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return String(status.split(separator: ")")[1].split(separator: " ")[0])
    }
}

/// A log that a test can read.
final class RecordedProgramLog: ProgramLog {
    var hasRoom = true
    var onLine: ((ProgramLine) -> Void)?
    private(set) var lines: [ProgramLine] = []

    func write(_ line: ProgramLine) {
        lines.append(line)
        onLine?(line)
    }
}
