import ControlProtocol
import Foundation
import Testing

@testable import TestSupport

/// `touchd record` of umockdev's devices, and on a full disk.
@Suite struct RecordCommand {
    private static let layout = """
        screen: {size: [1280, 768]}
        devices: [{match: {name: EP0430M09}, grab: true}]
        views:
          - {id: wall, frame: [0, 0, 1280, 768]}
          - {id: pad, frame: [640, 0, 640, 768], private: true}

        """

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A `touchd record` that has reported that it records.
    private final class Recorder {
        private let process = Process()
        private let errors = Pipe()

        /// - Parameter limit: The greatest size of a file, in blocks of 512 bytes.
        init(_ arguments: [String], variables: [String: String], output: URL, limit: Int? = nil) throws {
            process.executableURL = URL(filePath: "/bin/sh")
            let limiting = limit.map { "trap '' XFSZ; ulimit -f \($0); " } ?? ""
            process.arguments = ["-c", limiting + "exec \"$0\" record \"$@\"", TouchdProgram.path] + arguments
            process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = errors
            try process.run()
            var text = ""
            while !text.contains("stop with Ctrl-C") {
                let data = errors.fileHandleForReading.availableData
                if data.isEmpty { throw CocoaError(.fileReadUnknown, userInfo: [NSDebugDescriptionErrorKey: text]) }
                text += String(decoding: data, as: UTF8.self)
            }
        }

        var isRunning: Bool { process.isRunning }

        /// The exit status, and what it wrote to standard error after it began to record.
        func end(_ signal: Int32? = nil) -> (status: Int32, errors: String) {
            if let signal { kill(process.processIdentifier, signal) }
            process.waitUntilExit()
            let text = (try? errors.fileHandleForReading.readToEnd()) ?? Data()
            return (process.terminationStatus, String(decoding: text, as: UTF8.self))
        }
    }

    private func lines(_ file: URL) throws -> [Substring] {
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.hasSuffix("\n"))
        return text.split(separator: "\n")
    }

    @Test("touchd's own devices and those that the layout ignores are not offered")
    func chosen() throws {
        let devices = try MockedDevices()
        defer { devices.end() }
        let output = try folder.file("output.evemu", "")
        let recorder = try Recorder([], variables: devices.variables, output: output)
        try devices.play("down panel 0 100 200", "frame panel")
        while try !String(contentsOf: output, encoding: .utf8).contains("0000 0000 0\n") {}
        #expect(recorder.end(SIGINT).status == 0)
        #expect(try lines(output).contains("N: EP0430M09"))

        let ignored = try folder.file(
            "layout.yaml", "screen: {size: [1, 1]}\ndevices: [{match: {name: EP0430M09}, use: false}]\n")
        let outcome = try TouchdProgram.run("record", "--layout", ignored.path, environment: devices.variables)
        #expect(outcome.errors == "error: touchd would use no device here; name one that 'touchd devices' lists\n")
    }

    @Test("a full disk ends the recording with one sentence, and no half line is in the file")
    func fullDisk() throws {
        let devices = try MockedDevices()
        defer { devices.end() }
        let output = try folder.file("output.evemu", "")
        let recorder = try Recorder([devices.panel], variables: devices.variables, output: output, limit: 6)
        try devices.play("down panel 0 100 200", "frame panel")
        var move = 0
        while recorder.isRunning {
            move += 1
            try devices.play("move panel 0 \(100 + move % 1000) 200", "frame panel")
        }
        let end = recorder.end()
        #expect(end.status == EX_IOERR && end.errors == "error: cannot write standard output: File too large\n")
        #expect(try lines(output).last?.split(separator: " ").count == 5)
    }

    @Test("the shell completes the event nodes of this machine", arguments: ["record", "calibrate"])
    func nodes(_ command: String) throws {
        let devices = try MockedDevices()
        defer { devices.end() }
        let words = try TouchdProgram.run(
            ["---completion", command, "--", "positional@0", "2", "0", "touchd", command, ""],
            environment: devices.variables
        ).lines
        #expect(words.sorted() == [devices.panel, devices.finger].sorted())
    }

    @Test("of a device that the running touchd has grabbed, the recording is what touchd keeps")
    func grabbedByService() throws {
        let kiosk = try MockedKiosk(layout: Self.layout + "recording: {keep: 5 min}\n", size: (1280, 768))
        defer { kiosk.end() }
        let output = try folder.file("output.evemu", "")
        let recorder = try Recorder(
            [kiosk.devices.panel, "--socket", kiosk.control], variables: kiosk.devices.variables, output: output)
        try kiosk.tap((100, 200))
        try kiosk.tap((700, 200))
        let connection = try kiosk.connect()
        while try connection.status().touches.ended < 2 {}
        #expect(recorder.end(SIGINT).status == 0)
        let positions = try lines(output).filter { $0.contains(" 0003 0035 ") }
        #expect(positions.map { $0.split(separator: " ").last } == ["100"])
    }

    @Test("if another process has grabbed the device, or touchd keeps no recording, the command says so and ends")
    func grabbed() throws {
        let kiosk = try MockedKiosk(layout: Self.layout, size: (1280, 768))
        defer { kiosk.end() }
        let (devices, nowhere) = (kiosk.devices, folder.url.appending(path: "nobody").path)
        let held = "error: \(devices.panel): EP0430M09 is grabbed by another process, which alone receives its events; "
        for (socket, rest) in [
            (nowhere, ""), (kiosk.control, "; no recording is kept; add recording: {keep: 5 min} to the layout"),
        ] {
            let outcome = try TouchdProgram.run("record", "--socket", socket, environment: devices.variables)
            #expect(outcome.status == EX_UNAVAILABLE)
            #expect(outcome.errors.hasPrefix(held) && outcome.errors.hasSuffix(rest + "\n"), "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
    }
}
