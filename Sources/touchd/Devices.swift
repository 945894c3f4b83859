import ArgumentParser
import Evdev

/// `touchd devices`.
struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the input devices, and what touchd does with each.",
        discussion: "The exit status is 0 where touchd would use at least one device, and 1 where it would use none.")

    @Flag(name: .shortAndLong, help: "Print nothing; the exit status answers.")
    var quiet = false

    func run() throws {
        let devices: [DeviceInfo]
        do {
            devices = try DeviceMonitor.survey()
        } catch {
            throw Failure.report(error)
        }
        if !quiet {
            for device in devices { print(device.line) }
            if devices.isEmpty { print("There is no input device under /dev/input.") }
        }
        guard devices.contains(where: { $0.use == .used }) else { throw ExitCode(1) }
    }
}

extension DeviceRole {
    /// The kind of device, and how it reports touches.
    fileprivate var words: String {
        touchProtocol.map { "a \(kind.rawValue), \($0.rawValue)" } ?? kind.rawValue
    }
}

extension DeviceInfo {
    /// What an integrator has to know of a device, in a line.
    fileprivate var line: String {
        switch use {
        case .used: "\(path)  \(description.name): used as \(role.words)"
        case .ignored(let reason): "\(path)  \(description.name): not used, \(reason)"
        case .failed(let error): "\(path)  cannot be used: \(error)"
        }
    }
}
