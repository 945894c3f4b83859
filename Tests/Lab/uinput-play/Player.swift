import Recordings
import CLibevdev
import Evdev
import Glibc

/// Executes commands, one per line, each finished before the next is read.
final class Player {
    private let monitor: UdevMonitor
    private var devices: [Substring: VirtualDevice] = [:]

    init() throws(PlayError) {
        monitor = try UdevMonitor()
    }

    /// Executes one line; its output is flushed when it returns.
    func play(_ line: String) throws(PlayError) {
        let words = line.prefix { $0 != "#" }.split(separator: " ")
        guard let verb = words.first else { return }
        guard words.count > 1 else { throw .command(line) }
        let name = words[1]

        if verb == "device" || verb == "attach", words.count > 2 {
            try plug(name, descriptionPath: words[2...].joined(separator: " "), awaitsUdev: verb == "device")
            return
        }
        guard let device = devices[name] else { throw .unknownDevice(String(name)) }
        let numbers = words.dropFirst(2).compactMap { Int32($0) }
        switch (verb, numbers.count, words.count) {
        case ("down", 3, 5): try device.down(slot: numbers[0], x: numbers[1], y: numbers[2])
        case ("move", 3, 5): try device.move(slot: numbers[0], x: numbers[1], y: numbers[2])
        case ("up", 1, 3): try device.up(slot: numbers[0])
        case ("flood", 2, 4): try device.flood(slot: numbers[0], frames: numbers[1])
        case ("event", 1, 4): try send(String(words[2]), numbers[0], to: device)
        case ("frame", 0, 2): try device.frame()
        case ("wait-open", 0, 2):
            try NodeOpening(node: device.node).wait()
            say("opened \(name)")
        case ("destroy", 0, 2): try unplug(name, device, awaitsUdev: true)
        case ("detach", 0, 2): try unplug(name, device, awaitsUdev: false)
        default: throw .command(line)
        }
    }

    private func plug(_ name: Substring, descriptionPath: String, awaitsUdev: Bool) throws(PlayError) {
        guard devices[name] == nil else { throw .deviceExists(String(name)) }
        let description: DeviceDescription
        do {
            description = try RecordingReader.description(path: descriptionPath)
        } catch {
            throw .description("\(error)")
        }
        let device = try VirtualDevice(name: String(name), description)
        devices[name] = device
        if awaitsUdev { try monitor.wait(for: "add", of: device.node) }
        say("\(awaitsUdev ? "device" : "attach") \(name) \(device.node)")
    }

    private func unplug(_ name: Substring, _ device: VirtualDevice, awaitsUdev: Bool) throws(PlayError) {
        devices[name] = nil
        device.destroy()
        if awaitsUdev { try monitor.wait(for: "remove", of: device.node) }
        say("\(awaitsUdev ? "destroyed" : "detached") \(name)")
    }

    private func send(_ codeName: String, _ value: Int32, to device: VirtualDevice) throws(PlayError) {
        let type = libevdev_event_type_from_code_name(codeName)
        let code = libevdev_event_code_from_code_name(codeName)
        guard type >= 0, code >= 0 else { throw .unknownCode(codeName) }
        try device.send(type: type, code: code, value: value)
    }

    private func say(_ sentence: String) {
        print(sentence)
        // Standard output to a pipe is buffered.
        fflush(nil)
    }
}
