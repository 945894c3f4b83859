import CLinux
import EventLoop
import Glibc
import Testing

@Suite("The main thread's loop")
struct MainLoopTests {
    @Test("main-queue blocks and main-actor tasks run in it; a block can stop it")
    func dispatch() throws {
        #expect(try probe("dispatch") == ["block", "task", "task resumed", "stopped"])
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

    /// Runs the program with its own main thread, and returns its output lines.
    private func probe(_ scenario: String) throws -> [String] {
        let program = try #require(Self.program)
        var ends: [Int32] = [0, 0]
        try #require(pipe2(&ends, O_CLOEXEC) == 0)
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(scenario), nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, program, &actions, nil, &arguments, environ) == 0)
        close(ends[1])
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(ends[0], &buffer, buffer.count), count > 0 { output += buffer[..<count] }
        var status: Int32 = -1
        try #require(waitpid(process, &status, 0) == process)
        #expect(status == 0, "\(program) \(scenario) ended with wait status \(status)")
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The program in the build folder of the test runner.
    private static var program: String? {
        guard let runner = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(runner) }
        let folder = String(cString: runner).split(separator: "/").dropLast().joined(separator: "/")
        return "/\(folder)/MainLoopProbe"
    }
}
