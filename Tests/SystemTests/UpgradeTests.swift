import Foundation
import LabSupport
import Testing

/// All packages of a kiosk in use are upgraded; `Tests/Lab/upgrade.sh` and `Tests/Lab/faults/upgrade.py` do it.
@Suite(
    "An upgrade of a kiosk in use, in a container", .needsContainer,
    .disabled(if: LabRun.packages == nil, "TOUCHD_LAB_PACKAGES names no packages; 'make test-deb' makes them"))
struct UpgradeTests {
    private static let script = Task {
        try await LabRun("upgrade.sh", in: .container, LabRun.builtPrograms, #require(LabRun.packages))
    }
    private let run: LabRun

    init() async throws { run = try await Self.script.value }

    @Test("under ten touches a second, touchd is restarted once, and every touch that began ends")
    func touches() throws {
        #expect(try run.lines("touchd") == ["stopped", "started"])
        #expect(try run.lines("touches") == ["down []", "enough True"])
        // A figure, not a verdict: it depends on the machine's load.
        print("upgrade: \(try run.lines("interruption").joined())")
    }

    @Test("handlers' programs start before, after and while the packages are unpacked but not configured")
    func programs() throws {
        for section in ["programs-before", "programs-unpacked", "programs-after"] {
            #expect(try run.lines(section) == ["no failure"], "\(section)")
        }
    }

    @Test("touchd-web and the network's helpers continue until the packages are configured, and are restarted then")
    func helpers() throws {
        let helpers = ["touchd-web.service", "touchd-network.service", "touchd-network@seat1.service"]
        #expect(try run.lines("before") == ["page 200"])
        #expect(try run.lines("unpacked") == ["page 200"] + helpers.map { "\($0) the same" })
        #expect(try run.lines("configured") == ["page 200"] + helpers.map { "\($0) another" })
        // No process executes a program of the old packages.
        #expect(try run.lines("old") == [])
        #expect(
            try run.lines("sockets") == [
                "touchd-exec.socket active", "touchd-network.socket active", "touchd-network@seat1.socket active",
                "touchd-web.socket active",
            ])
        #expect(try run.lines("failed") == [])
    }

    @Test("a removal stops all units, also the network's, and removes its sockets")
    func removed() throws {
        #expect(try run.lines("removed") == [])
    }
}
