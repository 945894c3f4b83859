import Foundation
import LabSupport
import Testing

/// The state of the one file that touchd rewrites repeatedly; `Tests/Lab/power-cut.sh` cuts the power.
@Suite("Power failure", .needsLab)
struct PowerCutTests {
    @Test(
        "at every system call, the metrics file is completely old or new"
    )
    func metrics() async throws {
        let boot = try await Boot.run(
            ["--plain", "--module", "ext4", "--module", "loop", "--timeout", "3000", "Tests/Lab/power-cut.sh"]
                + [LabRun.pathInMachine(LabRun.touchd)])
        try #require(boot.status == 0, "\(boot.complaint)\n\(boot.output)")
        let lines = boot.output.split(whereSeparator: \.isNewline).map { line in
            line.split(separator: "\t").map(String.init)
        }
        try #require(lines.allSatisfy { $0.count == 3 }, "\(boot.output)")
        let cuts = lines.filter { $0[0] != "left" }
        let before = cuts.filter { $0[0] != "nothing" }

        #expect(cuts.count == 2 * 8)
        #expect(cuts.allSatisfy { ["old", "new"].contains($0[2]) }, "\(cuts)")
        // The last call renames the file.
        #expect(before.allSatisfy { $0[2] == "old" }, "\(cuts)")
        #expect(cuts.contains(["nothing", "LATER", "new"]))
        #expect(lines.last == ["left", "-", "lost+found other touchd.prom"])
    }
}
