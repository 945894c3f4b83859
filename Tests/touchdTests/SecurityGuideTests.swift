import Foundation
import Testing

/// docs/security.md names a test for each defense.
@Suite struct SecurityGuide {
    @Test("every test named in docs/security.md exists with the same name")
    func namedTests() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/security.md"), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        // Emphasis in the last column: *words*, but not **words**.
        let names = lines.compactMap { $0.split(separator: "|").last }
            .flatMap { $0.replacing("**", with: "").matches(of: /\*([^*|]+)\*/).map { String($0.output.1) } }
        var texts: Set<String> = []
        let files = try #require(
            FileManager.default.enumerator(at: root.appending(path: "Tests"), includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            texts.formUnion(try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\""))
        }

        let missing = names.filter { !texts.contains($0) }

        #expect(names.count > 25)
        #expect(missing == [])
    }
}
