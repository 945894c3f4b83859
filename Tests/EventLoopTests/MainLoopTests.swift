import Foundation
import Testing

@Suite("The main thread's loop")
struct MainLoopTests {
    @Test("main-queue blocks and main-actor tasks run in it; a block can stop it")
    func dispatch() throws {
        #expect(try probe("dispatch") == ["block", "task", "task resumed", "stopped"])
    }

    @Test("Foundation's blocks and timers of the main thread run in an application's loop")
    func foundation() throws {
        #expect(try probe("foundation") == ["block", "timer", "stopped"])
    }

    @Test("callbacks of main-actor code run on the main actor in every kind of source")
    func isolation() throws {
        #expect(try probe("isolation") == ["stopped", "observer block signalled descriptor timer"])
    }

    @Test("nested in a source it drains the main queue; in a main-queue block it cannot")
    func nested() throws {
        #expect(
            try probe("nested") == [
                "block in a nested run", "nested in a source: stopped", "nested in the queue: timedOut", "late block",
                "stopped",
            ])
    }

    @Test("the main queue waits while the loop runs in a mode that is not common")
    func modes() throws {
        #expect(try probe("modes") == ["timer", "stopped", "block", "stopped"])
    }

    @Test("a program started from the loop inherits none of its descriptors")
    func descriptors() throws {
        #expect(try probe("descriptors") == ["done"])
    }

    @Test("signals sent to the process reach the loop while libdispatch's threads run")
    func signals() throws {
        #expect(try probe("signals") == ["signal 10", "signal 15", "stopped"])
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
