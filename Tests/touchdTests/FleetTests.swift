import Foundation
import Testing

/// docs/fleet.md in practice: two kiosks upload their journals to one collector, over HTTP on this machine.
@Suite struct Fleet {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a program to its end and returns its output.
    private func output(_ path: String, _ arguments: [String], input: URL? = nil) throws -> Data {
        let process = Process()
        let file = folder.url.appending(path: UUID().uuidString)
        try Data().write(to: file)
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? .nullDevice
        process.standardOutput = try FileHandle(forWritingTo: file)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(path) \(arguments)")
        return try Data(contentsOf: file)
    }

    /// A listening socket on this machine, at a free port.
    private func listeningSocket() throws -> (socket: FileHandle, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Bool in
                bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        try #require(port, "errno \(errno)")
        return (FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), address.sin_port.bigEndian)
    }

    @Test("the collector's merged journal has the touches of both kiosks, and the report separates them")
    func collector() throws {
        let kiosks = [
            try ReplayedJournal(
                host: "hall", machine: String(repeating: "a", count: 32),
                recording: "config/recordings/quanta-optical.evemu"),
            try ReplayedJournal(
                host: "shop", machine: String(repeating: "c", count: 32),
                recording: "config/examples/recordings/ticket-machine.evemu",
                layout: "config/examples/ticket-machine.yaml", boot: String(repeating: "c", count: 32)),
        ]
        let collector = folder.url.appending(path: "collector")
        try FileManager.default.createDirectory(at: collector, withIntermediateDirectories: true)
        let (socket, port) = try listeningSocket()
        let remote = Process()
        remote.executableURL = URL(filePath: "/bin/sh")
        // The socket is passed like systemd-journal-remote.socket's: descriptor 3, with the process that it is for.
        remote.arguments = [
            "-c",
            "exec 3<&0 </dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec /lib/systemd/systemd-journal-remote "
                + "--listen-http=-3 --split-mode=host --output='\(collector.path)'",
        ]
        remote.standardInput = socket
        remote.standardOutput = FileHandle.nullDevice
        remote.standardError = FileHandle.nullDevice
        try remote.run()
        defer { if remote.isRunning { remote.terminate() } }

        for (index, kiosk) in kiosks.enumerated() {
            let export = try folder.file("kiosk-\(index).export", kiosk.text)
            let journal = folder.url.appending(path: "kiosk-\(index)")
            try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: true)
            _ = try output(
                "/lib/systemd/systemd-journal-remote",
                ["--split-mode=none", "--output=\(journal.path)/system.journal", export.path])
            _ = try output(
                "/lib/systemd/systemd-journal-upload",
                [
                    "--url=http://127.0.0.1:\(port)", "--directory=\(journal.path)", "--follow=no",
                    "--save-state=\(journal.path)/state",
                ])
        }
        // It closes its journals only when it is terminated.
        remote.terminate()
        remote.waitUntilExit()

        let merged = try output("/bin/journalctl", ["--directory=\(collector.path)", "--output=export"])
        let file = folder.url.appending(path: "merged.export")
        try merged.write(to: file)
        let report = try TouchdProgram.run(["report", "-"], input: file)
        #expect(report.status == 0 && report.errors == "")
        #expect(report.output.hasPrefix("2 kiosks, \(kiosks[0].touches + kiosks[1].touches) touches, "))
        #expect(report.output.contains("\nhall: \(kiosks[0].touches) touches\n"))
        #expect(report.output.contains("\nshop: \(kiosks[1].touches) touches\n"))
        #expect(kiosks.allSatisfy { $0.touches > 5 })

        // JSON, the other form of a merged journal, gives the same result.
        let json = try folder.file(
            "merged.json",
            String(
                decoding: try output("/bin/journalctl", ["--directory=\(collector.path)", "--output=json"]),
                as: UTF8.self))
        #expect(try TouchdProgram.run(["report"], input: json).output == report.output)
    }
}
