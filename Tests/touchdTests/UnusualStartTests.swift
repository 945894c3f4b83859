import Foundation
import Testing

@testable import TestSupport

/// touchd with closed standard streams, and as process 1, as a container may start it.
@Suite final class UnusualStart {
    private let folder: TemporaryFolder
    private let pipe: String
    private let process = Process()

    init() throws {
        folder = try TemporaryFolder()
        pipe = folder.url.appending(path: "pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
    }

    /// Starts a replay whose touches start a script; returns what the script writes to the descriptor 9.
    private func run(_ script: String, by words: String = "", _ redirections: String) throws -> String {
        let program = try folder.file("program", "#!/bin/sh\nexec 9>'\(pipe)'\n\(script)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let layout = try folder.file(
            "touchd.yaml",
            "screen: {size: [1920, 1080]}\non: {began: {exec: {command: [\(program.path)], limit: 1}}}\n")
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = TouchdProgram.root
        process.arguments = [
            "-c",
            "exec \(words) '\(TouchdProgram.path)' run --layout '\(layout.path)' --speed 0.01 "
                + "--replay config/recordings/quanta-optical.evemu \(redirections)",
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let reader = try FileHandle(forReadingFrom: URL(filePath: pipe))
        return String(decoding: try reader.readToEnd() ?? Data(), as: UTF8.self)
    }

    @Test("standard streams that are closed at the start are /dev/null, and so is the output of handlers' programs")
    func closedStreams() throws {
        let links = try run("links=$(readlink /proc/$$/fd/1 /proc/$$/fd/2); echo \"$links\" >&9", "<&- >&- 2>&-")
        #expect(links == "/dev/null\n/dev/null\n")
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(
        "as process 1 it removes processes whose parent has ended, and ends as usual",
        .enabled(if: geteuid() == 0, "needs root"))
    func firstProcess() throws {
        let script = """
            orphan=$(sh -c 'sleep 0 >/dev/null & echo $!')
            while [ -e /proc/$orphan ]; do :; done
            echo removed >&9
            """
        let text = try run(script, by: "unshare --pid --fork --mount-proc", "2>/dev/null")
        #expect(text == "removed\n")
        let number = process.processIdentifier
        let children = try String(contentsOfFile: "/proc/\(number)/task/\(number)/children", encoding: .utf8)
        kill(try #require(pid_t(children.trimmingCharacters(in: .whitespaces))), SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
