import Foundation
import Testing

@testable import TestSupport

/// Standard streams without a reader, or that fail on write.
@Suite struct BrokenStream {
    private func run(_ redirection: String, output: String = "json") throws -> (status: Int32, lines: [String]) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = TouchdProgram.root
        process.arguments = [
            "-c",
            "exec '\(TouchdProgram.path)' run --layout config/touchd.yaml --speed max --output \(output) "
                + "--replay config/recordings/quanta-optical.evemu \(redirection)",
        ]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        return (process.terminationReason == .exit ? process.terminationStatus : -1, lines)
    }

    @Test(
        "a full standard error loses its lines, but no touch its end", arguments: ["2>/dev/full", "2>&-"])
    func fullStandardError(redirection: String) throws {
        let (status, lines) = try run(redirection)
        #expect(status == 0)
        #expect(lines.count { $0.contains("\"began\"") } == 9)
        #expect(lines.count { $0.contains("\"ended\"") } == 9)
    }

    @Test("a full standard output ends the run with an error")
    func fullStandardOutput() throws {
        #expect(try run(">/dev/full").status == 71)
    }
}
