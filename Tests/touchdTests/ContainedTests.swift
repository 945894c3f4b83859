import Foundation
import Testing

@testable import TestSupport

/// `Tests/Run/contained`, under which all tests run with the programs that they start.
@Suite struct ContainedTests {
    @Test("after SIGKILL of the runner, no process and no file is left")
    func runnerKilled() throws {
        let folder = try TemporaryFolder()
        let inner = folder.url.appending(path: "inner")
        // `setsid` starts a program that its own parent's end would not end.
        let program = #"setsid sleep infinity & touch "$TMPDIR/file" && echo ready; wait"#
        let runner = Process()
        runner.executableURL = URL(filePath: "/bin/bash")
        let contained = TouchdProgram.root.appending(path: "Tests/Run/contained").path
        runner.arguments = ["-c", #""$@" & wait"#, "runner", contained, inner.path, "/bin/bash", "-c", program]
        let output = Pipe()
        runner.standardOutput = output
        try runner.run()
        output.fileHandleForWriting.closeFile()
        #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
        #expect(FileManager.default.fileExists(atPath: inner.appending(path: "file").path))

        kill(runner.processIdentifier, SIGKILL)

        // Each of the processes holds the pipe, so the output ends when none is left.
        #expect(try output.fileHandleForReading.readToEnd() == nil)
        #expect(!FileManager.default.fileExists(atPath: inner.path))
    }
}
