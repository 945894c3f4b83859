import Foundation

/// One run of `Tests/Lab/boot`, to its end.
struct Boot: Sendable {
    /// The unmodified output of the script.
    var output: String
    /// The error output of the command itself.
    var complaint: String
    var status: Int32

    /// The package's root folder.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Runs the command with arguments; `environment` overrides variables of this process.
    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Boot {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [repository.appending(path: "Tests/Lab/boot").path] + arguments
        process.currentDirectoryURL = repository
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardInput = FileHandle.nullDevice

        // Files, because an unread pipe would block the machine when full.
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
