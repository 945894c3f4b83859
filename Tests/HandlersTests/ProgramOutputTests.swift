import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import Layout

/// The output of handlers' programs on its way to a log.
@Suite("The output of handlers' programs") final class ProgramOutputTests {
    private let kiosk: HandlerKiosk
    private let log = RecordedProgramLog()

    init() throws {
        kiosk = try HandlerKiosk()
        kiosk.runner.programs.log = log
    }

    private var programs: CommandRunner { kiosk.runner.programs }

    /// Starts a script by a handler named `chime`.
    private func start(_ script: String, timeout: TimeInterval? = nil) {
        kiosk.run(ExecSpec(arguments: ["/bin/sh", "-c", .init(verbatim: script)], timeout: timeout), by: "chime")
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

    @Test("a prefix <0> to <7> is a line's priority; space at a line's end and empty lines go, invalid UTF-8 is marked")
    func text() {
        start(#"printf '<3>broken\n<7>detail\n<9>nine\n<3\n<>\n\n  \nprogress 50%%  \r\n\377\n'"#)
        settle()
        #expect(log.lines.map(\.priority) == [3, 7, 6, 6, 6, 6, 6])
        #expect(
            log.lines.map(\.text) == ["broken", "detail", "<9>nine", "<3", "<>", "progress 50%", "\u{FFFD}"])
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
        let delegate = RunnerDelegate()
        delegate.onLateFailure = { order.append("\($0)") }
        kiosk.runner.delegate = delegate
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

    @Test("a finished program, or one that does not start, leaves no descriptor behind")
    func descriptors() throws {
        func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        start("echo warm")
        settle()
        let before = try count()
        // Other tests open and close files at the same time.
        for script in Array(repeating: "echo again", count: 200) + Array(repeating: "/nowhere", count: 200) {
            start(script)
            settle()
        }
        #expect(try count() < before + 200)
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
