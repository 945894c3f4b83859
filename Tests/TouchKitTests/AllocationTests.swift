import Foundation
import Testing

@Suite("Memory")
struct AllocationTests {
    /// The program is built into the folder that has the test runner.
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("AllocationProbe")

    @Test(
        "a moved touch allocates nothing from the queue to the handler, once warm",
        .disabled(if: _isDebugAssertConfiguration(), "code that is not optimised allocates on its own account"))
    func allocations() throws {
        let process = Process()
        process.executableURL = Self.program
        let output = Pipe()
        process.standardOutput = output

        try process.run()
        process.waitUntilExit()

        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "10000 moved touches and true pan delivered, 0 allocations in the second half\n")
        #expect(process.terminationStatus == 0)
    }
}
