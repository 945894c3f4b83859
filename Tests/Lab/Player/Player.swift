import CLibevdev
import Evdev
import Glibc

/// Why a command failed.
package struct PlayError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// The error of the last system call.
    package init(system what: String) { description = "\(what): \(String(cString: strerror(errno)))" }

    package static func usage(_ command: String) -> PlayError {
        PlayError("usage: \(command): reads commands from FILE or standard input; Tests/Lab/README.md has them")
    }
}

/// Makes input devices: the kernel's, or mocked ones.
package protocol DeviceSource<Device> {
    associatedtype Device: PlayedDevice

    /// Plugs in a device.
    ///
    /// - Parameter awaitsUdev: Whether to return after udev has dealt with it.
    func plug(_ description: DeviceDescription, awaitsUdev: Bool) throws(PlayError) -> Device

    /// Unplugs a device with everything on it.
    func unplug(_ device: Device, awaitsUdev: Bool) throws(PlayError)
}

/// A device that a `DeviceSource` made.
package protocol PlayedDevice {
    /// Its node: `/dev/input/event…`.
    var node: String { get }

    /// Sends an event as a driver does.
    func send(type: Int32, code: Int32, value: Int32) throws(PlayError)

    /// Returns once another program has the node open. An event before that is lost.
    func waitUntilOpen() throws(PlayError)
}

/// Executes commands, one per line, each finished before the next is read.
package final class Player<Source: DeviceSource> {
    private let source: Source
    private var devices: [Substring: (device: Source.Device, fingers: Fingers)] = [:]

    package init(_ source: Source) { self.source = source }

    /// Executes the commands in a file, or on standard input without one, then unplugs the devices.
    package func play(file path: String?) throws(PlayError) {
        try playAll(file: path)
        for (device, _) in devices.values { try source.unplug(device, awaitsUdev: false) }
    }

    private func playAll(file path: String?) throws(PlayError) {
        guard let path else {
            while let line = readLine() { try play(line) }
            return
        }
        guard let file = fopen(path, "r") else {
            throw PlayError(system: "cannot read \(path)")
        }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(line) }
        while getline(&line, &size, file) > 0, let line {
            try play(String(String(cString: line).prefix { $0 != "\n" }))
        }
    }

    /// Executes one line; its output is flushed when it returns.
    package func play(_ line: String) throws(PlayError) {
        let words = line.prefix { $0 != "#" }.split(separator: " ")
        guard let verb = words.first else { return }
        guard words.count > 1 else { throw PlayError("not a command: \(line)") }
        let name = words[1]

        if verb == "device" || verb == "attach", words.count > 2 {
            try plug(name, descriptionPath: words[2...].joined(separator: " "), awaitsUdev: verb == "device")
            return
        }
        guard let (device, fingers) = devices[name] else {
            throw PlayError("there is no device \(name): make it with `device \(name) DESCRIPTION`")
        }
        let numbers = words.dropFirst(2).compactMap { Int32($0) }
        switch (verb, numbers.count, words.count) {
        case ("down", 3, 5): try fingers.down(slot: numbers[0], x: numbers[1], y: numbers[2], on: device)
        case ("move", 3, 5): try fingers.move(slot: numbers[0], x: numbers[1], y: numbers[2], on: device)
        case ("up", 1, 3): try fingers.up(slot: numbers[0], on: device)
        case ("flood", 2, 4): try fingers.flood(slot: numbers[0], frames: numbers[1], on: device)
        case ("event", 1, 4): try send(String(words[2]), numbers[0], to: device)
        case ("frame", 0, 2): try fingers.frame(on: device)
        case ("wait-open", 0, 2):
            try device.waitUntilOpen()
            say("opened \(name)")
        case ("destroy", 0, 2): try unplug(name, device, awaitsUdev: true)
        case ("detach", 0, 2): try unplug(name, device, awaitsUdev: false)
        default: throw PlayError("not a command: \(line)")
        }
    }

    private func plug(_ name: Substring, descriptionPath: String, awaitsUdev: Bool) throws(PlayError) {
        guard devices[name] == nil else { throw PlayError("there is a device \(name) already: destroy it first") }
        let description: DeviceDescription
        do {
            description = try RecordingReader.description(path: descriptionPath)
        } catch {
            throw PlayError("\(error)")
        }
        let device = try source.plug(description, awaitsUdev: awaitsUdev)
        devices[name] = (device, Fingers(device: String(name), description))
        say("\(awaitsUdev ? "device" : "attach") \(name) \(device.node)")
    }

    private func unplug(_ name: Substring, _ device: Source.Device, awaitsUdev: Bool) throws(PlayError) {
        devices[name] = nil
        try source.unplug(device, awaitsUdev: awaitsUdev)
        say("\(awaitsUdev ? "destroyed" : "detached") \(name)")
    }

    private func send(_ codeName: String, _ value: Int32, to device: Source.Device) throws(PlayError) {
        let type = libevdev_event_type_from_code_name(codeName)
        let code = libevdev_event_code_from_code_name(codeName)
        guard type >= 0, code >= 0 else {
            throw PlayError(
                "no event code is called \(codeName); names are those of linux/input-event-codes.h")
        }
        try device.send(type: type, code: code, value: value)
    }

    private func say(_ sentence: String) {
        print(sentence)
        // Standard output to a pipe is buffered.
        fflush(nil)
    }
}
