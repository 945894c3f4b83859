import LabSupport
import Testing

/// A whole kiosk whose processes are killed; `Tests/Lab/restarts.sh` and `Tests/Lab/faults/restarts.py` do it.
@Suite("Units that come back, in a container", .needsContainer)
struct RestartTests {
    @Test("after 50 kills of each process at random moments, every unit is up and works, and nothing is failed")
    func killed() async throws {
        // Printed, so that a failure can be repeated.
        let seed = String(UInt32.random(in: 0...UInt32.max))
        print("seed of the moments: \(seed)")
        let run = try await LabRun(
            "restarts.sh", in: .container, [LabRun.builtPrograms, LabRun.install(for: "restarts.sh")], [seed])

        let up = Set(
            [
                "touchd.service", "touchd.socket", "touchd-exec.socket", "touchd-network.socket", "touchd-web.socket",
                "touchd-web.service", "touchd-metrics.timer", "kiosk-image.service", "kiosk-example.service",
            ].map { "\($0) active" })
        let before = try run.lines("before")
        #expect(Set(before) == up, "seed \(seed)")
        #expect(
            try run.lines("kills") == [
                "touchd.service main 50", "touchd-exec.service main 50", "touchd-network.service main 50",
                "touchd-web.service main 50", "kiosk-image.service main 50", "kiosk-example.service main 50",
                "touchd-exec.service child 50", "kiosk-image.service child 50", "kiosk-example.service child 50",
            ], "seed \(seed)")
        let after = try run.lines("after")
        #expect(Set(after) == up, "seed \(seed)")
        #expect(try run.lines("program") == ["told began told 1000.0"], "seed \(seed)")
        #expect(try run.lines("message") == ["began; online"], "seed \(seed)")
        #expect(try run.lines("page") == ["200"], "seed \(seed)")
        // The waiting connection did not start it again.
        #expect(try run.lines("invalid-settings") == ["failures 1", "then 200"], "seed \(seed)")
        #expect(try run.lines("failed") == [], "seed \(seed)")
    }
}
