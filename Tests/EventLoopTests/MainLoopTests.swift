import Foundation
import Testing

@Suite("The main thread's loop")
struct MainLoopTests {
    /// A scenario of the program, the rule that it shows, and its output.
    typealias Scenario = (name: String, rule: String, output: [String])

    @Test(
        "the main thread's loop, in a program",
        arguments: [
            (
                "dispatch", "main-queue blocks and main-actor tasks run in it; a block can stop it",
                ["block", "task", "task resumed", "stopped"]
            ),
            (
                "foundation", "Foundation's blocks and timers of the main thread run in an application's loop",
                ["block", "timer", "stopped"]
            ),
            (
                "isolation", "callbacks of main-actor code run on the main actor in every kind of source",
                ["stopped", "observer block signalled descriptor timer"]
            ),
            (
                "nested", "nested in a source it drains the main queue; in a main-queue block it cannot",
                [
                    "block in a nested run", "nested in a source: stopped", "nested in the queue: timedOut",
                    "late block", "stopped",
                ]
            ),
            (
                "modes", "the main queue waits while the loop runs in a mode that is not common",
                ["timer", "stopped", "block", "stopped"]
            ),
            ("descriptors", "a program started from the loop inherits none of its descriptors", ["done"]),
            (
                "signals", "signals sent to the process reach the loop while libdispatch's threads run",
                ["signal 10", "signal 15", "stopped"]
            ),
        ] as [Scenario])
    func program(_ scenario: Scenario) throws {
        #expect(try probe(scenario.name) == scenario.output, "\(scenario.rule)")
    }

    /// Runs the program, which is in the build folder of the test runner, with its own main thread; returns its output
    /// lines.
    private func probe(_ scenario: String) throws -> [String] {
        let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let process = Process()
        process.executableURL = runner.deletingLastPathComponent().appending(path: "MainLoopProbe")
        process.arguments = [scenario]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
