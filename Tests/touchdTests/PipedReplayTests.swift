import Foundation
import Testing

@testable import TestSupport

/// Commands that read a recording from a pipe, while the program that writes it runs.
@Suite struct PipedReplay {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private static let header = """
        N: panel
        P: 02
        A: 2f 0 9 0 0
        A: 35 0 99 0 0
        A: 36 0 99 0 0
        A: 39 0 65535 0 0

        """
    private static let press = """
        E: 1.0 0003 0039 4
        E: 1.0 0003 0035 50
        E: 1.0 0003 0036 50
        E: 1.0 0000 0000 0

        """
    private static let lift = "E: 1.1 0003 0039 -1\nE: 1.1 0000 0000 0\n"

    private func start(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: TouchdProgram.path)
        process.currentDirectoryURL = TouchdProgram.root
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    private func startReplay() throws {
        try start(["run", "--layout", "config/touchd.yaml", "--format", "json", "--replay", "-"])
    }

    private func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    private func rest(of pipe: Pipe) throws -> String {
        String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    @Test("run --replay - delivers a touch before the next event arrives, and ends with the pipe")
    func liveReplay() throws {
        try startReplay()
        try write(Self.header + Self.press)
        let first = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(first.contains("\"phase\": \"began\""))
        try write(Self.lift)
        let second = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(second.contains("\"phase\": \"ended\""))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(
        "a signal ends run --replay - before the first event, and with a finger down",
        arguments: [SIGTERM, SIGINT], [false, true])
    func signals(signal: Int32, isDown: Bool) throws {
        try startReplay()
        try write(Self.header)
        if isDown {
            try write(Self.press)
            #expect(!output.fileHandleForReading.availableData.isEmpty)
        } else {
            // Until then the signals end the process in their own way.
            var text = ""
            while !text.contains("is ready") {
                text += String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
            }
        }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(try rest(of: output).contains("\"phase\": \"cancelled\"") == isDown)
    }

    @Test("decode - prints a contact before the pipe ends")
    func liveDecode() throws {
        try start(["decode", "-"])
        try write(Self.header + Self.press)
        var text = ""
        while !text.contains("began") {
            let piece = output.fileHandleForReading.availableData
            try #require(!piece.isEmpty)
            text += String(decoding: piece, as: UTF8.self)
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("what needs a file is refused with the reason", arguments: ["run", "decode", "heatmap"])
    func needsFile(_ command: String) throws {
        switch command {
        case "run": try startReplay()
        case "decode": try start(["decode", "-"])
        default: try start(["render", "--layout", "config/touchd.yaml", "--heatmap", "-"])
        }
        try write(command == "heatmap" ? "__CURSOR=s\n" : Self.press)
        try input.fileHandleForWriting.close()
        let text = try rest(of: errors)
        process.waitUntilExit()
        #expect(process.terminationStatus != 0)
        #expect(text.contains("needs a file"))
    }

    @Test("standard input that is a file is read from its start, also twice")
    func fileAsInput() throws {
        let folder = try TemporaryFolder()
        let recording = try folder.file("press.evemu", Self.press + Self.lift)
        let outcome = try TouchdProgram.run(["decode", "-"], input: recording)
        #expect(outcome.status == 0)
        #expect(outcome.output == (try TouchdProgram.run("decode", recording.path).output))
    }
}
