import Foundation
import Testing

/// All faults of a kiosk, caused by `Tests/Lab/faults` with the installed service, and their results.
@Suite("The fault table, in a booted machine", .needsLab)
struct FaultTableTests {
    @Test(
        "after each fault the service answers and every touch has its end"
    )
    func table() async throws {
        let boot = try await Self.boot()
        let resumed = try await ResumeTests.shared.value

        let table = FaultTable(rows: try FaultRow.rows(in: boot) + FaultRow.rows(in: resumed))
        print(table.text)

        #expect(boot.status == 0, "\(boot.complaint)\n\(boot.output)")
        #expect(resumed.status == 0, "\(resumed.complaint)\n\(resumed.output)")
        #expect(table.problems == [])
    }

    /// Boots a machine with touchd from `make install`, and causes the faults of the table.
    private static func boot() async throws -> Boot {
        let root = LabRun.builtPrograms.appending(path: "installed")
        try? FileManager.default.removeItem(at: root)
        try await install(LabRun.touchd, under: root)
        return try await Boot.run(
            ["--systemd", "--timeout", "3000", "Tests/Lab/faults-table.sh"]
                + [LabRun.programs, root].map(LabRun.pathInMachine))
    }

    private static func install(_ touchd: URL, under root: URL) async throws {
        let make = Process()
        make.executableURL = URL(filePath: "/usr/bin/make")
        make.arguments =
            ["--silent", "install", "DESTDIR=\(root.path)", "PREFIX=/usr", "BINARY=\(touchd.path)"]
            + [("INSPECTOR", "touchd-inspect"), ("WEB", "touchd-web")].map { variable, program in
                "\(variable)=\(LabRun.builtPrograms.appending(path: program).path)"
            }
        make.currentDirectoryURL = Boot.repository
        make.standardOutput = FileHandle.nullDevice
        try make.run()
        make.waitUntilExit()
        try #require(make.terminationStatus == 0)
    }
}
