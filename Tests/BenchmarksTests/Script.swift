import Foundation

/// A script of Benchmarks/, run in a temporary folder.
final class Script {
    /// The package's root folder.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let folder: URL
    private let name: String

    init(_ name: String) throws {
        self.name = name
        folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file into the folder.
    func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: file))
    }

    /// The content of a file in the folder.
    func read(_ file: String) throws -> String { try String(contentsOf: folder.appending(path: file), encoding: .utf8) }

    /// Runs the script and returns its exit status, standard output and standard error.
    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> (status: Int32, output: String) {
        try write("", to: "written")
        let written = try FileHandle(forWritingTo: folder.appending(path: "written"))
        let process = Process()
        process.executableURL = Self.repository.appending(path: "Benchmarks/\(name)")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = written
        process.standardError = written
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, try read("written"))
    }
}
