import Foundation
import LabSupport
import Testing

/// A finger on a suspended machine; `Tests/Lab/resume.sh` suspends one.
@Suite("Suspended and resumed", .needsLab)
struct ResumeTests {
    /// The single run that this test and the fault table use.
    static let shared = Task {
        try await Boot.run(
            ["--plain", "--timeout", "3000", "Tests/Lab/resume.sh"]
                + [LabRun.programs, LabRun.touchd].map(LabRun.pathInMachine))
    }

    @Test("On resume every device is reopened, and a finger that was down is cancelled")
    func resumed() async throws {
        let boot = try await Self.shared.value

        #expect(boot.status == 0, "\(boot.complaint)")
        // The other lines belong to the fault table.
        let facts = boot.output.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("{") }
        #expect(
            facts.map { $0.replacing("\t", with: ": ") } == [
                "resumes after the clock was set: 0",
                "cancelled after the clock was set: 0",
                "resumes: 1",
                "slept at least 1 s: true",
                "cancelled: 1",
                "began: 2",
                "ended: 1",
                "cancelled in all: 1",
                "mistakes: 0",
                "changes: added, removed",
            ])
    }
}
