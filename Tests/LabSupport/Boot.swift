import Foundation

/// One run of a script by `Tests/Lab/boot` or `Tests/Lab/container`, to its end.
package struct Boot: Sendable {
    /// A script runs in a virtual machine with a separate kernel, or in a container on this machine's kernel.
    package enum Place: String {
        case machine = "boot"
        case container
    }

    /// The unmodified output of the script.
    package var output: String
    /// The error output of the command itself.
    package var complaint: String
    package var status: Int32

    /// The package's root folder.
    package static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Runs a script of `Tests/Lab` under systemd with files and words as its arguments.
    package static func script(_ script: String, in place: Place, _ files: [URL], _ words: [String] = []) async throws
        -> Boot
    {
        let options = place == .machine ? ["--systemd", "--timeout", "3000"] : []
        return try await run(
            options + ["Tests/Lab/\(script)"] + files.map(LabRun.pathInMachine) + words, in: place)
    }

    /// Runs the command with arguments; `environment` overrides variables of this process.
    package static func run(_ arguments: [String], in place: Place = .machine, environment: [String: String] = [:])
        async throws -> Boot
    {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [repository.appending(path: "Tests/Lab/\(place.rawValue)").path] + arguments
        process.currentDirectoryURL = repository
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardInput = FileHandle.nullDevice

        // Files, because an unread pipe would block the script when full.
        let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["output", "complaint"].map { folder.appending(path: $0) }
        for file in files { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])

        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }
        return Boot(
            output: try String(contentsOf: files[0], encoding: .utf8),
            complaint: try String(contentsOf: files[1], encoding: .utf8), status: process.terminationStatus)
    }
}
