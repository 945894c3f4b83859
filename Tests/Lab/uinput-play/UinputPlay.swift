import Evdev
import Foundation
import Player

/// Plays fingers and mice to the kernel: virtual uinput devices, by commands in a file or on standard input.
@main
enum UinputPlay {
    static func main() {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            guard arguments.count <= 1 else { throw PlayError.usage("uinput-play [FILE]") }
            try Player(UinputSource()).play(file: arguments.first)
        } catch {
            FileHandle.standardError.write(Data("uinput-play: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// The kernel's devices, and udev's reports of them.
struct UinputSource: DeviceSource {
    private let monitor: UdevMonitor

    init() throws(PlayError) { monitor = try UdevMonitor() }

    func plug(_ description: DeviceDescription, awaitsUdev: Bool) throws(PlayError) -> VirtualDevice {
        let device = try VirtualDevice(description)
        if awaitsUdev { try monitor.wait(for: "add", of: device.node) }
        return device
    }

    func unplug(_ device: VirtualDevice, awaitsUdev: Bool) throws(PlayError) {
        device.destroy()
        if awaitsUdev { try monitor.wait(for: "remove", of: device.node) }
    }
}
