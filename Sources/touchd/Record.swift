import Basics
import ControlProtocol
import ArgumentParser
import CommandSupport
import Evdev
import EventLoop
import Foundation

struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract:
            "Record a device's events until Ctrl-C, or with --last print a touchscreen's last minutes.",
        discussion: """
            Writes evemu text: the device's description and every event from the kernel. 'touchd run --replay' and 'touchd \
            decode' read it. The touchd service can keep running. A recording contains the position of every touch, so it \
            can reveal a PIN typed on the screen.

            With --last, prints the recording that the running touchd keeps if its layout has recording: {keep: 5 min}. \
            Contacts that were in a private view are left out completely.
            """)

    @Argument(
        help: "The device's event node, or with --last its name; optional if touchd uses only one device.",
        completion: .file())
    var device: String?

    @Flag(help: "Write the recording that the running touchd keeps of the last minutes.")
    var last = false

    @OptionGroup var control: ControlOptions

    @Option(name: .shortAndLong, help: .file("The file to write (default: standard output)."))
    var output: String?

    func run() throws {
        if last { return try control.run(writeLast) }
        try CommandFailure.reporting {
            let path = try device ?? onlyDevice()
            try MainActor.assumeIsolated { try record(path) }
        }
    }

    @MainActor private func record(_ path: String) throws {
        let loop = try EpollRunLoop.mainUntilInterrupted()
        var writer = RecordingWriter()
        var file = FileHandle.standardOutput
        var failure: (any Error)?
        func end(_ error: any Error) {
            failure = error
            loop.stop()
        }
        func write(_ text: String) {
            do { try file.write(contentsOf: Data(text.utf8)) } catch { end(error) }
        }
        let recorder = try DeviceRecorder(
            path: path, loop: loop, onEvent: { write(writer.line(for: $0)) }, onEnd: { end($0) })
        if let output { file = try Self.created(output) }
        write(writer.header(for: recorder.description))
        StandardError.write(line: "touchd: recording \(recorder.description.name); stop with Ctrl-C")
        _ = loop.run()
        recorder.stop()
        if let failure { throw failure }
    }

    /// Writes the kept recording; creates the file only when there is something to write.
    private func writeLast(_ connection: ControlConnection) throws {
        let source = try device.map { try number(of: $0, connection) }
        var file: FileHandle?
        do {
            try connection.recording(of: source) { text in
                let handle = try file ?? output.map { try Self.created($0) } ?? FileHandle.standardOutput
                file = handle
                try handle.write(contentsOf: Data(text.utf8))
            }
        } catch {
            // A partial recording would look complete.
            if let output, file != nil { unlink(output) }
            throw error
        }
    }

    /// The running touchd's number for a device, found by its node or its name.
    private func number(of name: String, _ connection: ControlConnection) throws -> UInt32 {
        if let number = UInt32(name) { return number }
        let devices: [DeviceState] = try connection.answer(to: .devices)
        guard let device = devices.first(where: { $0.path == name || $0.name == name }) else {
            let choice = devices.map { "\($0.path) (\($0.name))" }.joined(separator: ", ")
            throw UnavailableError(
                devices.isEmpty ? "touchd has no devices" : "touchd uses no device '\(name)'; it uses \(choice)")
        }
        return device.source
    }

    /// The node of the only device that touchd would use.
    private func onlyDevice() throws -> String {
        let used = try DeviceMonitor.survey().filter { $0.use == .used }
        let none = "touchd would use no device here; name one that 'touchd devices' lists"
        return try used.only("devices", none: none).path
    }

    /// Creates a new file, because an existing recording must not be overwritten.
    private static func created(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let error = SystemError(call: "open", errno: errno)
            let problem =
                error.errno == EEXIST
                ? "\(path) exists already and is not overwritten; choose another file name"
                : "cannot write \(path): \(error.reason)"
            throw UnavailableError(problem, status: EX_CANTCREAT)
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
