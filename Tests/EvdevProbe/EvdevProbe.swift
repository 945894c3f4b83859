import Evdev

/// Prints the results of `DeviceMonitor`, a line for every frame and change; `umockdev-wrapper EvdevProbe [SCENARIO] EVENTS
/// [DESCRIPTION]` runs a scenario of `MockedScene` with umockdev in the kernel's place.
///
/// `--decode EVENTS [DESCRIPTION]` prints the frames that the decoder makes of a recording without a device. With a real
/// kernel, in the lab: `--uinput FOLDER` plays recordings through uinput, `--storm` overflows the kernel's buffer,
/// `--replaced` gives slots new tracking ids without lifting, `--grabbed` contends for a device, `--refused` takes
/// permissions away, `--resumed` suspends the machine. `umockdev-wrapper EvdevProbe --circle SEED COUNT` compares the replays of
/// COUNT recordings of random devices with what the devices gave; `--circle-tools` has evemu-record and libinput record write
/// theirs.
@main
enum EvdevProbe {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        let scenario = arguments.first?.hasPrefix("--") == true ? arguments.removeFirst() : "--play"
        let (path, description) = (arguments.first ?? "", arguments.dropFirst().first)
        switch scenario {
        case "--uinput": try KernelRecordings.run(in: path)
        case "--storm": try KernelStorm.run()
        case "--replaced": try KernelStorm.replace()
        case "--resumed": try KernelResume.run()
        case "--refused": try KernelRefusal.run()
        case "--grabbed": try KernelGrab.run()
        case "--circle", "--circle-tools":
            try Circle.run(
                seed: UInt64(path) ?? 0, count: description.flatMap { Int($0) } ?? 1,
                startsTools: scenario == "--circle-tools")
        case "--decode":
            let frames = try decoded(path, description)
            for frame in frames.reports + frames.removal { print(line(of: frame)) }
        default: try MockedScene(asNobody: scenario == "--settle").run(scenario, path, description)
        }
    }

    static func line(of change: DeviceChange) -> String {
        switch change {
        case .added(let info): "added \(info.id.rawValue) \(info.role.kind.rawValue)"
        case .notGrabbed(let info, let error): "not grabbed \(info.id.rawValue): \(error)"
        case .removed(let info): "removed \(info.id.rawValue)"
        case .ignored(let info): "ignored \(info.role.kind.rawValue)"
        case .failed(let info): "failed \(info.use)"
        }
    }

    static func line(of frame: borrowing InputFrame) -> String {
        let contacts = frame.contacts.map {
            "\($0.phase) \($0.id) slot \($0.slot) id \($0.trackingID) at \($0.raw.x),\($0.raw.y)"
        }
        let keys = frame.keys.map { "key \($0.code) \($0.action)" }
        var parts = ["\(frame.timestamp.microseconds)"] + contacts + keys
        if let pointer = frame.pointer { parts.append("\(pointer)") }
        if let scroll = frame.scroll { parts.append("\(scroll)") }
        return parts.joined(separator: "; ")
    }
}
