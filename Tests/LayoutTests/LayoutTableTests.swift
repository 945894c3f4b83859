import Foundation
import Layout
import Testing

@testable import TestSupport

/// The layouts under Files, with the exact output of `touchd check` and the result of the schema.
@Suite struct LayoutTable {
    nonisolated static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    nonisolated static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

    nonisolated static func files(in subfolder: String, of root: URL = folder) -> [String] {
        let folder = root.appending(path: subfolder)
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { $0.hasSuffix(".yaml") }.sorted().map { folder.appending(path: $0).path }
    }

    nonisolated static let bad = files(in: "Files/bad").filter { !$0.contains("/part-") }
    nonisolated static let good =
        files(in: "Files/good").filter { !$0.contains("/part-") } + files(in: "config", of: root)
        + files(in: "config/examples", of: root)
    nonisolated static let parts =
        (files(in: "Files/bad") + files(in: "Files/good")).filter { $0.contains("/part-") }
        + files(in: "Files/good/parts")

    private func findings(_ path: String) -> [LayoutFinding] {
        do {
            return try LayoutDocument(path: path, handlers: ["log"]).warnings
        } catch {
            return error.diagnostics
        }
    }

    @Test("an error in a layout is reported at its place, with the expected value", arguments: bad)
    func badLayout(path: String) throws {
        let expected = try String(contentsOfFile: path.replacing(".yaml", with: ".txt"), encoding: .utf8)
        let folder = Self.folder.appending(path: "Files/bad").path + "/"
        let lines = findings(path).map { "\($0)\n".replacing(folder, with: "") }
        #expect(lines.joined() == expected)
        #expect(!lines.isEmpty)
    }

    @Test("a valid layout has no findings", arguments: good)
    func goodLayout(path: String) {
        #expect(findings(path) == [])
    }

    @Test(
        "check rejects what the schema rejects, and each file states the result",
        .needs("python3-jsonschema"), .needs("python3-yaml"))
    func schemaAgrees() throws {
        let folder = try TemporaryFolder()
        let schema = try folder.file("schema.json", LayoutVocabulary().schema)
        let files = Self.bad + Self.good + Self.parts
        #expect(files.count > 140)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [Self.folder.appending(path: "Support/validate-layouts.py").path, schema.path] + files
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try #require(try output.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        let complaints = try JSONDecoder().decode([String: [String]].self, from: data)

        for file in files {
            let isRefused = try !#require(complaints[file]).isEmpty
            let firstLine = try String(contentsOfFile: file, encoding: .utf8).prefix { $0 != "\n" }
            // Each bad file states whether the schema can find its error.
            #expect(isRefused == firstLine.hasPrefix("# schema: refuses"), "\(file): \(complaints[file] ?? [])")
            guard isRefused, !Self.parts.contains(file) else { continue }
            let findings = findings(file)
            // A key without a value is only a warning in check, because commenting out its content creates one.
            #expect(
                findings.contains {
                    $0.severity == .error || $0.message.hasSuffix("has no value, so it has no effect")
                },
                "\(file) is refused by the schema alone: \(complaints[file] ?? [])")
        }
    }
}
