import Foundation
import Testing

/// The `touchd` that was built beside these tests, run as users run it.
struct TouchdProgram {
    /// The results of a run.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String

        /// The touches of a run's JSON: the lines that are not other events.
        var touchLines: [String] { lines.filter { $0.hasPrefix("{\"event\": \"touch\"") } }
        /// Standard output as one object in JSON.
        var json: [String: Any] {
            get throws { try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]) }
        }
        /// The lines of standard output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// Runs make with a folder as the root of the machine.
    static func make(_ target: String, in root: String, prefix: String = "/usr", _ more: [String] = []) throws
        -> Outcome
    {
        // The environment of a make that runs these tests must not reach this make.
        try run(
            ["--silent", target, "DESTDIR=\(root)", "PREFIX=\(prefix)", "BINARY=\(path)"] + more,
            environment: ["MAKEFLAGS": "", "MAKELEVEL": ""], program: "/usr/bin/make")
    }

    /// The project's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The program's path.
    static let path = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "touchd").path

    /// Runs it to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try run(arguments, environment: environment)
    }

    /// Runs it, or another program, to its end, optionally with a file as standard input and in another folder.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: URL? = nil, program: String = path,
        in workingFolder: URL = root
    ) throws -> Outcome {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        // Files, not pipes, because a pipe could fill up while the other is being read.
        let files = try ["output", "errors"].map { try folder.file($0, "") }

        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = workingFolder
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? .nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try String(contentsOf: files[0], encoding: .utf8),
            errors: try String(contentsOf: files[1], encoding: .utf8))
    }
}
