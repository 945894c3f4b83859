import Foundation
import Testing

@testable import TestSupport

/// The examples in README.md are those that are built and checked.
@Suite struct Readme {
    private func code(_ language: String) throws -> [String] {
        let readme = try String(contentsOf: TouchdProgram.root.appending(path: "README.md"), encoding: .utf8)
        return readme.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    @Test("its Swift program is the one compiled beside these tests")
    func program() throws {
        let source = TouchdProgram.root.appending(path: "Tests/ReadmeProgram/Kiosk.swift")
        #expect(try code("swift") == [String(contentsOf: source, encoding: .utf8)])
    }

    @Test("its layout has no errors and no warnings")
    func layout() throws {
        let layout = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: layout) }
        try Data(try #require(try code("yaml").first).utf8).write(to: layout)
        let outcome = try TouchdProgram.run("check", layout.path)
        #expect(outcome.status == 0)
        #expect(outcome.output == "\(layout.path): good; 1920 × 1080 points, views: 2, handlers: 1\n")
    }
}
