import ArgumentParser
import CommandSupport
import Evdev
import EventLoop
import Foundation
import Service

/// `touchd record`.
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record what a device reports, until Ctrl-C.",
        discussion: """
            Writes evemu text: the device's description and every event, as the kernel reports it. 'touchd run \
            --replay' and 'touchd decode' read it again. The touchd service may go on running meanwhile. A recording \
            holds every place that is touched: it can show what somebody typed on a PIN pad.
            """)

    @Argument(help: "The device's event node; not needed where touchd would use just one.", completion: .file())
    var device: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Write here instead of standard output.", valueName: "file"))
    var output: String?

    func run() throws {
        do {
            let path = try device ?? onlyDevice()
            try MainActor.assumeIsolated { try record(path) }
        } catch {
            throw Failure.report(error)
        }
    }

    @MainActor private func record(_ path: String) throws {
        let loop = EpollRunLoop.main
        let signals = try UnixSignalSource(signals: [SIGINT, SIGTERM]) { _ in loop.stop() }
        loop.add(signals)
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
        StandardError.write(line: "touchd: recording \(recorder.description.name); Ctrl-C ends")
        _ = loop.run()
        recorder.stop()
        if let failure { throw failure }
    }

    /// The node of the one device that touchd would use.
    private func onlyDevice() throws -> String {
        let used = try DeviceMonitor.survey().filter { $0.use == .used }
        guard let device = used.first, used.count == 1 else {
            let choice = used.map { "\($0.path) (\($0.description.name))" }.joined(separator: ", ")
            throw Unavailable(
                used.isEmpty
                    ? "touchd would use no device here; see 'touchd devices', and name one"
                    : "there are several devices: \(choice); name one")
        }
        return device.path
    }

    /// A file that was not there before: a recording is not written over another.
    private static func created(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(call: "open(\(path))", errno: errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
