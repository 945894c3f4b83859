import Foundation
import Testing

@testable import TestSupport

@Suite struct ContributingTests {
    @Test("every file that CONTRIBUTING.md names exists")
    func files() throws {
        let guide = try String(contentsOf: TouchdProgram.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        // A name with … or +Concern stands for several files.
        let names = guide.matches(of: /`([A-Za-z+\/-]+\.swift)`/).map { String($0.output.1) }
            .filter { $0 != "Type+Concern.swift" }
        #expect(names.count > 40)
        let folders = ["Sources", "Tests"].compactMap {
            FileManager.default.enumerator(atPath: TouchdProgram.root.appending(path: $0).path)
        }
        let paths = folders.flatMap { $0.compactMap { $0 as? String } }.filter { $0.hasSuffix(".swift") }
        let rooted = ["Sources", "Tests"].flatMap { root in paths.map { "/\(root)/\($0)" } }
        #expect(names.filter { name in !rooted.contains { $0.hasSuffix("/\(name)") } } == [])
    }
}
