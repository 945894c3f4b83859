import Foundation
import Testing

@Suite("What looking on costs those whom nobody looks at") struct InspectionAllocationTests {
    @Test("nothing is allocated for it before somebody subscribed, nor when nobody does any more")
    func allocations() throws {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "InspectionProbe")
        // Sets of touches lie in memory as they did the time before.
        process.environment = ["SWIFT_DETERMINISTIC_HASHING": "1"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }
}
