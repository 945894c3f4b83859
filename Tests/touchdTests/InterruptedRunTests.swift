import Foundation
import Testing

/// Runs that somebody ends in the middle of a touch.
@Suite struct InterruptedRun {
    private let process = Process()
    private let output = Pipe()

    /// Begins a replay; at a hundredth of its speed the first finger is down for 80 s.
    private func start(speed: String) throws {
        process.executableURL = URL(filePath: TouchdProgram.path)
        process.currentDirectoryURL = TouchdProgram.root
        process.arguments = [
            "run", "--layout", "config/touchd.yaml", "--replay", "config/recordings/quanta-optical.evemu",
            "--output", "json", "--speed", speed,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    @Test(
        "SIGTERM with a finger down cancels its touch, writes that, and ends with status 0",
        arguments: [SIGTERM, SIGINT])
    func termination(signal: Int32) throws {
        try start(speed: "0.01")
        var text = output.fileHandleForReading.availableData
        kill(process.processIdentifier, signal)
        text += try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()

        let phases = String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
            line.firstMatch(of: /"phase": "(\w+)"/).map { String($0.output.1) }
        }
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(phases.first == "began")
        #expect(phases.last == "cancelled")
        #expect(phases.dropFirst().dropLast().allSatisfy { $0 == "moved" })
    }

    @Test("SIGTERM ends a replay whose output nobody reads, though none of it is dropped otherwise")
    func unreadOutput() throws {
        // F_SETPIPE_SZ, which Glibc's module leaves out: as small as a pipe can be, so that it is full at once.
        let room = fcntl(output.fileHandleForWriting.fileDescriptor, 1031, 4096)
        #expect(room == 4096)
        try start(speed: "max")
        var waiting: Int32 = 0
        while waiting < room - 512 {
            _ = ioctl(output.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &waiting)
            sched_yield()
        }
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }

    @Test("when nobody reads its output any more, the run ends")
    func closedOutput() throws {
        try start(speed: "1")
        _ = output.fileHandleForReading.availableData
        try output.fileHandleForReading.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
}
