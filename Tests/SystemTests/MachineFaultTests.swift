import LabSupport
import Testing

@Suite("The fault table, in a container", .needsContainer)
struct MachineFaultTests {
    @Test("after each fault the service answers and every touch has its end")
    func faults() async throws {
        let container = try await Boot.script(
            "faults-table.sh", in: .container, [LabRun.builtPrograms, LabRun.install(for: "faults-table.sh")],
            ["service", "programs", "machine"])
        let table = try FaultTable(Self.faults, rows: FaultRow.rows(in: container))
        #expect(container.status == 0, "\(container.complaint)\n\(container.output)")
        #expect(table.problems == [])
    }

    /// The faults of the service and of the system around it.
    private static let faults: [FaultTable.Fault] = [
        .init("terminated", "SIGTERM with four fingers down, and a start"),
        .init("killed", "SIGKILL with four fingers down, three times", restarts: 3, cut: 12),
        .init(
            "reloaded", "a hundred reloads, under touches",
            expected: "100 loaded; answers"),
        .init(
            "hanging", "a handler's program does not end",
            expected: "/bin/sleep was stopped after its timeout of 1.0 s; answers"),
        .init(
            "stubborn", "a handler's program ignores SIGTERM",
            expected: "/usr/lib/faults/stubborn was stopped after its timeout of 1.0 s; answers"),
        .init(
            "babbling", "a handler's program writes without end",
            expected: "/usr/bin/yes was stopped after its timeout of 2.0 s; answers"),
        .init(
            "without_journald",
            "journald is stopped with its sockets, touchd started without it, and journald starts again",
            expected: "entries wait for it; answers"),
        .init(
            "stopped_journald", "journald is suspended, as with a disk that does not respond",
            expected: "entries wait for it; answers"),
        .init("without_dbus", "the D-Bus daemon is stopped, touchd started without it, and it is back"),
    ]
}
