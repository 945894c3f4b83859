@testable import ControlProtocol
import Foundation
import Testing

@testable import Service

@Suite("The message catalog") struct CatalogTests {
    private let catalog: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        catalog = try String(contentsOf: root.appending(path: "systemd/touchd.catalog"), encoding: .utf8)
    }

    @Test("explains every message ID once, and no other")
    func identities() {
        let explained = catalog.matches(of: /(?m)^-- ([0-9a-f]{32})$/).map { String($0.output.1) }
        #expect(explained.sorted() == MessageID.allCases.map(\.rawValue).sorted())
        #expect(Set(explained).count == explained.count)
    }

    @Test("explains each event and what to do, in lines that fit a terminal")
    func texts() {
        let entries = catalog.split(separator: "\n-- ").dropFirst()
        #expect(entries.count == MessageID.allCases.count)
        for entry in entries {
            let lines = entry.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[1].hasPrefix("Subject: "))
            #expect(lines[2] == "Defined-By: touchd")
            #expect(lines[3].isEmpty && !lines[4].isEmpty)
            #expect(lines.allSatisfy { $0.count <= 120 })
        }
    }
}
