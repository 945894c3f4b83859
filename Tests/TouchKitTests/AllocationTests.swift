import Foundation
import Testing

@Suite("Memory")
struct AllocationTests {
    /// An optimized build of AllocationProbe, which `make test` creates, because unoptimized code makes additional
    /// allocations.
    private nonisolated static let program = ProcessInfo.processInfo.environment["TOUCHD_RELEASE"].map {
        "\($0)/AllocationProbe"
    }

    @Test(
        "a moved touch allocates nothing once warm, also if it is recorded or forwarded",
        .enabled(if: program != nil, "TOUCHD_RELEASE names no optimized build"))
    func allocations() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.program))
        let output = Pipe()
        process.standardOutput = output

        try process.run()
        process.waitUntilExit()

        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(
            text.split(separator: "\n") == [
                "10000 moved touches and true pan delivered, 0 allocations in the second half",
                "40000 reports decoded and kept for a recording, 0 allocations in the second half",
                "28029 events forwarded, 0 allocations in the second half",
                "0 allocations before somebody looks on, some meanwhile: true, 0 afterwards, more than 50 records told: true",
            ])
        #expect(process.terminationStatus == 0)
    }
}
