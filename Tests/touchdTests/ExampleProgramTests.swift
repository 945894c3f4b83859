import Foundation
import Testing

@testable import TestSupport

/// The programs under Examples, which link TouchKit, each with its recording.
@Suite struct ExamplePrograms {
    /// The programs, each with a recording from the project's folder.
    nonisolated static let runs = [
        ("gate", "Examples/Recordings/gate.evemu"), ("pictures", "Examples/Recordings/pictures.evemu"),
        ("testbench", "Examples/Recordings/pictures.evemu"), ("museum", "Examples/Recordings/museum.evemu"),
    ]

    private func path(_ program: String) -> String {
        URL(filePath: TouchdProgram.path).deletingLastPathComponent().appending(path: "example-\(program)").path
    }

    @Test("an example prints the expected output for its recording", arguments: runs)
    func recorded(program: String, recording: String) throws {
        let expected = TouchdProgram.root.appending(path: "Tests/touchdTests/Examples/\(program).txt")

        let outcome = try TouchdProgram.run(
            ["--replay", recording, "--speed", "max"], program: path(program))

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == (try String(contentsOf: expected, encoding: .utf8)))
    }

    @Test("a program's output can be read through a pipe as soon as the program is idle")
    func printedAtOnce() throws {
        // At a tenth of its speed the first key is released after a second, and the last ten minutes later.
        let gate = try Server([path("gate"), "--replay", "Examples/Recordings/gate.evemu", "--speed", "0.1"])
        #expect(gate.line() == "digits: 1")
        #expect(gate.end(SIGTERM) == 0)
    }

    @Test(
        "an invalid argument or speed is named, with status 64",
        arguments: [
            (["--replay"], "--replay needs a file\n"),
            (["--replay", "x", "--speed", "0"], "--speed must be a number above 0, or max (got '0')\n"),
        ])
    func mistakes(arguments: [String], message: String) throws {
        let outcome = try TouchdProgram.run(arguments, program: path("gate"))

        #expect(outcome.status == EX_USAGE)
        #expect(outcome.errors == message)
    }
}
