import LabSupport
import Testing

@Suite("The fault table, in a booted machine", .needsLab)
struct KernelFaultTests {
    @Test("after each fault the service answers and every touch has its end")
    func faults() async throws {
        let machine = try await Boot.script(
            "faults-table.sh", in: .machine, [LabRun.programs, LabRun.install(for: "faults")], ["devices", "kernel"])
        let suspended = try await ResumeTests.shared.value
        let table = try FaultTable(Self.faults, rows: [machine, suspended].flatMap(FaultRow.rows))
        #expect(machine.status == 0, "\(machine.complaint)\n\(machine.output)")
        #expect(table.problems == [])
    }

    /// The faults that need a separate kernel, with their required results; `Tests/Lab/faults` causes them, by these names.
    private static let faults: [FaultTable.Fault] = [
        .init("replugged", "a screen is unplugged and plugged in again with four fingers down, ten times"),
        .init(
            "swapped", "two screens of one kind change places, fingers on both",
            expected: "each has the other's node; answers"),
        .init(
            "dropped", "touchd stands still until the kernel drops events (SYN_DROPPED), five times",
            expected: "events were lost; answers"),
        .init(
            "flooding", "a screen reports 20,000 moves as fast as the kernel takes them",
            expected: "the other screen answers meanwhile; answers"),
        .init(
            "lying", "screens without a width or with 2^31 units; slots, ids, places up to ±2^31",
            expected: "its ABS_MT_POSITION_X has an empty range (0 to 0), so positions are unknown; answers"),
        .init(
            "missed", "an expected screen is silent, then gone; its rule moves a line meanwhile",
            expected: "logged the rule's line [0, 1]; did still, here, gone; answers"),
        .init(
            "without_udevd", "udevd is stopped, touchd started without it, a screen plugged in; udevd is back",
            expected: "says that it may not open a screen that comes; uses it once it may; answers", restarts: 1),
        .init(
            "crowd", "a thousand subscribers that never read",
            expected: "64 stay connected, the others are refused; events are dropped; answers"),
        .init(
            "greedy", "a handler's program takes all memory that the service may have",
            expected: "/usr/bin/tail was killed by signal 9; answers"),
        .init(
            "bomb", "a handler's program multiplies, and is over itself",
            expected: "touches are delivered meanwhile; answers"),
        .init(
            "no_descriptors", "touchd has all descriptors it may have, and a screen is plugged in",
            expected: "says that it cannot open the screen; uses it once it can; answers"),
        .init("other_day", "the clock is set a day forward and back, with four fingers down"),
        .init(
            "suspended", "the machine sleeps with a finger down (touchd without systemd around it)",
            expected: "resumed 1 time; answers"),
    ]
}
