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
            "Record a device's events until Ctrl-C, or with --running print a touchscreen's last minutes.",
        discussion: """
            Writes evemu text: the device's description and every event from the kernel. 'touchd run --replay' and 'touchd \
            decode' read it. The touchd service can keep running. If it has grabbed the device, the recording is what it \
            keeps, as with --running. A recording contains the position of every touch, so it \
            can reveal a PIN typed on the screen.

            With --running, prints the recording that the running touchd keeps if its layout has recording: {keep: 5 min}. \
            Contacts that were in a private view are left out completely.

            Example: touchd record -o touches.evemu
            """)

    @Argument(
        help: "The device's event node, or with --running its name; optional if touchd uses only one device.",
        completion: NameCompletion.nodes)
    var device: String?

    @Flag(help: "Write the last minutes, which the running touchd keeps.")
    var running = false

    /// The name of --running in version 0, accepted for one version.
    @Flag(help: .hidden)
    var last = false

    @OptionGroup var layout: LayoutOption

    @OptionGroup var control: ControlOptions

    @OptionGroup var output: OutputOption

    func validate() throws {
        if running || last, layout.given != nil {
            throw ValidationError("--running uses the running layout; remove --layout")
        }
    }

    func run() throws {
        if last { CommandFailure.warn(ofOldName: "--last", "--running") }
        if running || last { return try control.run { try writeLast(of: device, $0) } }
        try CommandFailure.reporting {
            let used = try usedDevices()
            let none = "touchd would use no device here; name one that 'touchd devices' lists"
            let path = try device ?? used.only("devices", none: none).path
            let node = URL(filePath: path).resolvingSymlinksInPath().path
            let held = used.first { $0.path == node && $0.isHeld }
            try control.require(held != nil, "no program has grabbed the device; add --running, or remove it")
            try MainActor.assumeIsolated { try held.map(recordFromService) ?? record(path) }
        }
    }

    @MainActor private func record(_ path: String) throws {
        let loop = try EpollRunLoop.mainUntilInterrupted()
        var writer = RecordingWriter()
        var file: RecordingFile?
        var failure: (any Error)?
        func end(_ error: any Error) {
            failure = error
            loop.stop()
        }
        func write(_ text: String) {
            // After an error, the events that were already read.
            if failure != nil { return }
            do { try file?.write(text) } catch { end(error) }
        }
        let recorder = try DeviceRecorder(
            path: path, loop: loop, onEvent: { write(writer.line(for: $0)) }, onEnd: { end($0) })
        file = try RecordingFile(output.path)
        write(writer.header(for: recorder.description))
        StandardError.write(line: "touchd: recording \(recorder.description.name); stop with Ctrl-C")
        if failure == nil { _ = loop.run() }
        recorder.stop()
        if let failure { throw failure }
    }

    /// Writes what the running touchd keeps of a device until Ctrl-C, because no other process receives its events.
    @MainActor private func recordFromService(_ held: DeviceInfo) throws {
        let loop = try EpollRunLoop.mainUntilInterrupted()
        let problem = "\(held.path): \(held.description.name) is \(held.heldRemark)"
        do {
            let connection = try ControlConnection(path: control.socket)
            guard try connection.status().devices.contains(where: { $0.path == held.path && $0.held != true }) else {
                throw UnavailableError(problem)
            }
            // Fails now, and not after Ctrl-C.
            try connection.send(.recording(source: number(of: held.path, connection), part: 0))
        } catch ControlConnectionError.nobodyThere {
            throw UnavailableError(problem)
        } catch let error as ControlError {
            throw UnavailableError("\(problem); \(error)")
        }
        try RecordingFile(output.path).remove()
        StandardError.write(
            line: "touchd: the running touchd has grabbed \(held.description.name); recording what it keeps, without "
                + "contacts in private views; stop with Ctrl-C")
        _ = loop.run()
        try writeLast(of: held.path, ControlConnection(path: control.socket))
    }

    /// Writes the kept recording; creates the file only when there is something to write.
    private func writeLast(of device: String?, _ connection: ControlConnection) throws {
        let source = try device.map { try number(of: $0, connection) }
        var file: RecordingFile?
        do {
            try connection.recording(of: source) { text in
                let open = try file ?? RecordingFile(output.path)
                file = open
                try open.write(text)
            }
        } catch {
            // A partial recording would look complete.
            file?.remove()
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

    /// The devices that touchd would use. If the device is named, an error only means that it is not among them.
    private func usedDevices() throws -> [DeviceInfo] {
        do {
            return try DeviceMonitor.survey(rules: layout.deviceRules()).filter { $0.use == .used }
        } catch  where device != nil && layout.given == nil {
            return []
        }
    }
}
