import Foundation
import LabSupport
import Testing

/// The program of docs/tutorial.md as a service, with a finger on a picture; `Tests/Lab/tutorial.sh`.
@Suite("The tutorial's service, in a container", .needsContainer)
struct TutorialServiceTests {
    @Test("the journal has the touch and the program's output, as in docs/tutorial.md")
    func journal() async throws {
        let page = try String(contentsOf: Boot.repository.appending(path: "docs/tutorial.md"), encoding: .utf8)
        let shown = try #require(page.components(separatedBy: "$ journalctl -u museum -o cat\n").last)
            .prefix { $0 != "`" }.split(separator: "\n").map(String.init)

        let lines = try await LabRun.tutorial.value.lines("tutorial-journal")

        // The program's output reaches journald by another path than a touch.
        #expect(shown.count == 3)
        #expect(Set(lines).isSuperset(of: shown))
    }

    @Test("touchd status works with the program as with touchd")
    func status() async throws {
        let lines = try await LabRun.tutorial.value.lines("tutorial-status")

        #expect(lines.contains { $0.contains("EP0430M09: used") })
        #expect(lines.contains { $0.hasPrefix("touches   1 began, 1 ended") })
    }
}
