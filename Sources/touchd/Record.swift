import ArgumentParser
import EventLoop
import Evdev
import Foundation

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
            let file = try output.map { try FileHandle(forWritingTo: Self.created($0)) } ?? .standardOutput
            try MainActor.assumeIsolated { try record(path, to: file) }
        } catch let error as ValidationError {
            throw error
        } catch {
            throw Failure.report(error)
        }
    }

    @MainActor private func record(_ path: String, to file: FileHandle) throws {
        let loop = EpollRunLoop.main
        let signals = try UnixSignalSource(signals: [SIGINT, SIGTERM]) { _ in loop.stop() }
        loop.add(signals)
        var writer = RecordingWriter()
        var failure: (any Error)?
        func write(_ text: String) {
            do { try file.write(contentsOf: Data(text.utf8)) } catch {
                failure = error
                loop.stop()
            }
        }
        let recorder = try DeviceRecorder(
            path: path, loop: loop, onEvent: { write(writer.line(for: $0)) },
            onEnd: { error in
                failure = error
                loop.stop()
            })
        write(writer.header(for: recorder.description))
        FileHandle.standardError.write(Data("touchd: recording \(recorder.description.name); Ctrl-C ends\n".utf8))
        _ = loop.run()
        recorder.stop()
        if let failure { throw failure }
    }

    /// The node of the one device that touchd would use.
    private func onlyDevice() throws -> String {
        let used = try DeviceMonitor.survey().filter { $0.use == .used }
        guard let device = used.first, used.count == 1 else {
            let choice = used.map { "\($0.path) (\($0.description.name))" }.joined(separator: ", ")
            throw ValidationError(
                used.isEmpty
                    ? "touchd would use no device here; name one" : "there are several devices: \(choice); name one")
        }
        return device.path
    }

    private static func created(_ path: String) throws -> URL {
        let url = URL(filePath: path)
        try Data().write(to: url, options: .withoutOverwriting)
        return url
    }
}
