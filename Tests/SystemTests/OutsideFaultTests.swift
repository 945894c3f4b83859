import LabSupport
import Testing

/// Each part that touchd talks to, with each fault; `Tests/Lab/faults/outside.py` causes them.
@Suite("Faults of everything outside touchd, in a container", .needsContainer)
struct OutsideFaultTests {
    /// A dot where a part cannot have the fault: touchd reads nothing from journald, a name server has no connection to fill, and only
    /// local sockets pass descriptors.
    private static let table = """
                 silent slow endless large full refusing descriptor
        network  x      x    x       x     x    x        x
        exec     x      x    x       x     x    x        x
        control  x      x    x       .     x    x        x
        journald .      x    .       .     x    x        .
        broker   x      x    x       .     x    x        .
        server   x      x    x       .     x    x        .
        name     x      x    x       .     .    x        .
        program  x      x    x       .     .    x        .
        """

    @Test("with any fault of any part, no touch is late, and every touch ends")
    func table() async throws {
        let lines = Self.table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let faults = lines.dropFirst().flatMap { line in
            zip(lines[0], line.dropFirst()).filter { $0.1 == "x" }.map { "\(line[0])_\($0.0)" }
        }
        let container = try await Boot.script(
            "faults-table.sh", in: .container, [LabRun.builtPrograms, LabRun.install(for: "faults-outside")],
            faults)
        let rows = try FaultRow.rows(in: container)
        let table = FaultTable(faults.map { .init($0, $0, expected: "in time; answers") }, rows: rows)
        #expect(container.status == 0, "\(container.complaint)\n\(container.output)")
        #expect(table.problems == [])
        // Figures, not a verdict: they depend on the machine's load.
        for row in rows { print("\(row.fault): \(row.delay ?? 0) ms") }
    }
}
