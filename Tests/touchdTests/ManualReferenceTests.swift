import Foundation
import Testing

@testable import TestSupport

/// The reference of the libraries, built by `make docs`; DocC itself finds broken links and snippets.
@Suite struct ManualReferenceTests {
    @Test(
        "the overview of a library links each public type and each article",
        arguments: ["TouchKit", "EventLoop", "Evdev"])
    func overview(module: String) throws {
        let sources = TouchdProgram.root.appending(path: "Sources/\(module)")
        let catalog = sources.appending(path: "\(module).docc")
        let page = try String(contentsOf: catalog.appending(path: "\(module).md"), encoding: .utf8)
        // Foundation's page lists the library's extensions of its types.
        let topics = Set(page.matches(of: /(?m)^- ``(\w+)``$/).map { String($0.output.1) }).subtracting(["Foundation"])
        let articles = Set(page.matches(of: /(?m)^- <doc:(\w+)>$/).map { String($0.output.1) })

        var types: Set<String> = []
        for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let declaration =
                /(?m)^(?:@MainActor @preconcurrency )?(?:public|open) (?:nonisolated |final )*(?:class|struct|enum|protocol) (\w+)/
            types.formUnion(text.matches(of: declaration).map { String($0.output.1) })
        }
        let pages = try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)
            .map { $0.deletingPathExtension().lastPathComponent }

        #expect(types.count > 10)
        #expect(topics == types)
        #expect(articles.union([module]) == Set(pages))
    }

    @Test(
        "an example with a result in a comment is correct",
        arguments: [("WriteARecognizer", "rubbed out\n"), ("TestWithRecordings", "")])
    func sample(name: String, output: String) throws {
        let folder = URL(filePath: TouchdProgram.path).deletingLastPathComponent()

        let outcome = try TouchdProgram.run([], program: folder.appending(path: name).path)

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == output)
    }
}
