import Foundation
import Testing

@testable import TestSupport

/// docs/tutorial.md and README.md: the sources that their readers write are built and tested.
@Suite struct Tutorial {
    private func files() throws -> [(path: String, text: String)] {
        try GuideBlock.blocks(of: "docs/tutorial.md").compactMap { block in block.path.map { ($0, block.text) } }
    }

    @Test("every source in the tutorial equals the one under Examples")
    func sources() throws {
        let examples = TouchdProgram.root.appending(path: "Examples")
        var shown: Set<String> = []
        for (path, text) in try files() where path.hasSuffix(".swift") && path != "Package.swift" {
            #expect(text == (try String(contentsOf: examples.appending(path: path), encoding: .utf8)), "\(path)")
            shown.insert(path)
        }
        let there = try ["Sources/museum", "Tests/museumTests"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: examples.appending(path: folder).path)
                .map { "\(folder)/\($0)" }
        }
        #expect(shown == Set(there))
    }

    @Test("the Swift program in README.md is the one compiled beside these tests")
    func readme() throws {
        let source = TouchdProgram.root.appending(path: "Tests/ReadmeProgram/Kiosk.swift")
        let shown = try GuideBlock.blocks(of: "README.md").filter { $0.language == "swift" }.map(\.text)
        #expect(try shown == [String(contentsOf: source, encoding: .utf8)])
    }

    @Test("its manifest is valid for SwiftPM and has the targets of its other files")
    func manifest() throws {
        struct Manifest: Decodable {
            struct Target: Decodable { let name: String }
            let targets: [Target]
        }
        let folder = try TemporaryFolder()
        let text = try #require(try files().first { $0.path == "Package.swift" }).text
        let package = try folder.file("Package.swift", text).deletingLastPathComponent()

        let outcome = try TouchdProgram.run(
            ["swift", "package", "--package-path", package.path, "dump-package"], program: "/usr/bin/env")

        #expect(outcome.status == 0, "\(outcome.errors)")
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(outcome.output.utf8))
        #expect(manifest.targets.map(\.name) == ["museum", "museumTests"])
    }
}
