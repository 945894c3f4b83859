import Foundation
import Testing

@testable import TestSupport

/// Runs that are ended during a touch, and runs whose standard streams have no reader or fail on write.
@Suite final class InterruptedRun {
    private let process = Process()
    private let output = Pipe()
    /// The controlling end.
    private var terminal: FileHandle?

    /// Starts a replay; at a hundredth of its speed the first finger is down for 80 s.
    ///
    /// - Parameter redirection: The shell's, for a standard stream.
    private func start(speed: String, by words: String = "", _ redirection: String = "") throws {
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = TouchdProgram.root
        process.arguments = [
            "-c",
            "\(words) exec '\(TouchdProgram.path)' run --layout config/touchd.yaml --speed \(speed) --format json "
                + "--replay config/recordings/quanta-optical.evemu 2>/dev/null \(redirection)",
        ]
        if terminal == nil { process.standardInput = FileHandle.nullDevice }
        process.standardOutput = output
        try process.run()
    }

    /// Waits for the end; returns the exit status.
    private func end(_ signal: Int32? = nil) -> Int32 {
        if let signal { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    private func phases(_ text: Data) -> [String] {
        String(decoding: text, as: UTF8.self).matches(of: /"phase": "(\w+)"/).map { String($0.output.1) }
    }

    @Test(
        "SIGTERM with a finger down cancels its touch, logs it, and exits with status 0",
        arguments: [SIGTERM, SIGINT])
    func termination(signal: Int32) throws {
        try start(speed: "0.01")
        let first = output.fileHandleForReading.availableData
        #expect(end(signal) == 0)

        let phases = try phases(first + (output.fileHandleForReading.readToEnd() ?? Data()))
        #expect(phases.first == "began" && phases.last == "cancelled")
        #expect(phases.dropFirst().dropLast().allSatisfy { $0 == "moved" })
    }

    /// A terminal as standard input.
    private func openTerminal() throws {
        let control = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var lock: Int32 = 0
        // TIOCSPTLCK and TIOCGPTPEER (ioctl_tty(2)), macros that Swift cannot import.
        try #require(control >= 0 && ioctl(control, 0x4004_5431, &lock) == 0)
        let node = ioctl(control, 0x5441, O_RDWR | O_NOCTTY)
        try #require(node >= 0)
        process.standardInput = FileHandle(fileDescriptor: node, closeOnDealloc: true)
        terminal = FileHandle(fileDescriptor: control, closeOnDealloc: true)
    }

    @Test("the end of its terminal ends a run, and cancels its touches")
    func hangup() throws {
        try openTerminal()
        try start(speed: "0.01")
        let first = output.fileHandleForReading.availableData
        #expect(end(SIGHUP) == 0)
        let phases = try phases(first + (output.fileHandleForReading.readToEnd() ?? Data()))
        #expect(phases.first == "began" && phases.last == "cancelled")
    }

    @Test("SIGHUP that was ignored at the start, as by nohup, stays ignored")
    func ignoredHangup() throws {
        try start(speed: "0.01", by: "trap '' HUP;")
        _ = output.fileHandleForReading.availableData
        // Its signalfd, which would also read an ignored signal (proc_pid_fdinfo(5)).
        let folder = "/proc/\(process.processIdentifier)/fdinfo"
        let masks = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).firstMatch(of: /sigmask:\s+([0-9a-f]+)/)?
                .1
        }
        #expect(masks.map { Int($0, radix: 16) } == [1 << (SIGINT - 1) | 1 << (SIGTERM - 1)])
        #expect(end(SIGTERM) == 0)
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
        #expect(end(SIGTERM) == 0)
    }

    @Test("a run ends as with SIGPIPE when its output is closed")
    func closedOutput() throws {
        try start(speed: "1")
        _ = output.fileHandleForReading.availableData
        try output.fileHandleForReading.close()
        #expect(end() == 128 + SIGPIPE)
    }

    @Test("a full standard error loses its lines, but no touch its end", arguments: ["2>/dev/full", "2>&-"])
    func fullStandardError(redirection: String) throws {
        try start(speed: "max", redirection)
        let phases = try phases(output.fileHandleForReading.readToEnd() ?? Data())
        #expect(end() == 0)
        #expect(["began", "ended"].allSatisfy { phase in phases.count { $0 == phase } == 9 })
    }

    @Test("with too few descriptors the start ends with an error, not a trap", arguments: 4...16)
    func fewDescriptors(limit: Int) throws {
        let control = FileManager.default.temporaryDirectory.appending(path: "few\(limit)").path
        let outcome = try TouchdProgram.run(
            [
                "-c",
                "ulimit -n \(limit) && exec '\(TouchdProgram.path)' run --layout config/touchd.yaml --format json "
                    + "--replay config/recordings/quanta-optical.evemu --speed max --control '\(control)'",
            ], program: "/bin/sh")
        // 127 is the dynamic linker's; 66 and 71 are sysexits.h's.
        #expect([0, 66, 71, 127].contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.status == 0 || !outcome.errors.isEmpty)
    }

    @Test("a full standard output ends the run with an error")
    func fullStandardOutput() throws {
        try start(speed: "max", ">/dev/full")
        #expect(end() == EX_IOERR)
    }
}
