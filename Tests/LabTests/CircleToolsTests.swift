import LabSupport
import Testing

/// Recordings by other programs, which `Tests/Lab/circle.sh` makes.
@Suite("Recordings of live devices by other programs", .needsLab)
struct CircleToolsTests {
    @Test("What evemu-record and libinput record write from any moment on replays the touches that the device gave")
    func circle() async throws {
        let lines = try await LabRun.kernel.value.lines("circle")
        guard lines.first?.hasPrefix("skipped") != true else { try Test.cancel(Comment(rawValue: lines[0])) }

        let compared = lines.suffix(4).map { $0.split(separator: " ") }
        #expect(lines.count == 5, "\(lines.joined(separator: "\n"))\nTests/Lab/circle.sh with this seed repeats it")
        #expect(lines.first?.hasPrefix("seed ") == true)
        #expect(compared.map(\.first) == ["touchd", "kept", "evemu", "libinput"])
        #expect(compared.allSatisfy { $0.last.flatMap { Int($0) } ?? 0 > 0 })
    }
}
