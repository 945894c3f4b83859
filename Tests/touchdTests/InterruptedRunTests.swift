import Foundation
import Testing

@testable import TestSupport

/// Runs that are ended during a touch.
@Suite struct InterruptedRun {
    private let process = Process()
    private let output = Pipe()

    /// Starts a replay; at a hundredth of its speed the first finger is down for 80 s.
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
        "SIGTERM with a finger down cancels its touch, logs it, and exits with status 0",
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

    @Test("SIGTERM ends a replay even if nobody reads its output")
    func unreadOutput() throws {
        // F_SETPIPE_SZ, which the Glibc module lacks: the smallest pipe, so that it is full at once.
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

    @Test("a run ends when its output is closed")
    func closedOutput() throws {
        try start(speed: "1")
        _ = output.fileHandleForReading.availableData
        try output.fileHandleForReading.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
}
