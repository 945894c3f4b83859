import Foundation
import Testing

/// All faults of a kiosk, caused by `Tests/Lab/faults` with the installed service, and their results.
@Suite("The fault table, in a booted machine", .needsLab)
struct FaultTableTests {
    @Test(
        "after each fault the service answers and every touch has its end"
    )
    func table() async throws {
        let root = try LabRun.install(for: "faults")
        // Faults of the system wait for the metrics, which are written every 15 s.
        async let system = Self.boot("system", root: root)
        async let others = Self.boot("devices", "programs", "service", root: root)
        let machines = try await [system, others, ResumeTests.shared.value]

        let table = FaultTable(rows: try machines.flatMap(FaultRow.rows))
        print(table.text)

        for machine in machines { #expect(machine.status == 0, "\(machine.complaint)\n\(machine.output)") }
        #expect(table.problems == [])
    }

    /// Boots a machine with touchd from `make install`, and causes the faults of files of `Tests/Lab/faults`.
    private static func boot(_ files: String..., root: URL) async throws -> Boot {
        try await Boot.run(
            ["--systemd", "--timeout", "3000", "Tests/Lab/faults-table.sh"]
                + [LabRun.programs, root].map(LabRun.pathInMachine) + files)
    }
}
