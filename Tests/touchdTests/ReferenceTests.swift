import Foundation
import Testing

/// The reference of the libraries, which `make docs` makes: DocC itself finds links and snippets that lead nowhere.
@Suite struct Reference {
    @Test(
        "the overview of a library leads to each of its public types, and to each of its articles",
        arguments: ["TouchKit", "EventLoop"])
    func overview(module: String) throws {
        let sources = TouchdProgram.root.appending(path: "Sources/\(module)")
        let catalogue = sources.appending(path: "\(module).docc")
        let page = try String(contentsOf: catalogue.appending(path: "\(module).md"), encoding: .utf8)
        // Foundation's page has what the library adds to its types.
        let topics = Set(page.matches(of: /(?m)^- ``(\w+)``$/).map { String($0.output.1) }).subtracting(["Foundation"])
        let articles = Set(page.matches(of: /(?m)^- <doc:(\w+)>$/).map { String($0.output.1) })

        var types: Set<String> = []
        for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let declaration = /(?m)^(?:public|open) (?:nonisolated |final )*(?:class|struct|enum|protocol) (\w+)/
            types.formUnion(text.matches(of: declaration).map { String($0.output.1) })
        }
        let pages = try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
            .map { $0.deletingPathExtension().lastPathComponent }

        #expect(types.count > 10)
        #expect(topics == types)
        #expect(articles.union([module]) == Set(pages))
    }

    @Test(
        "a sample that says what comes of it is right",
        arguments: [("WriteARecognizer", "rubbed out\n"), ("TestWithRecordings", "")])
    func sample(name: String, output: String) throws {
        let folder = URL(filePath: TouchdProgram.path).deletingLastPathComponent()

        let outcome = try TouchdProgram.run([], program: folder.appending(path: name).path)

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == output)
    }
}
