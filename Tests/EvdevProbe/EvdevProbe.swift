import Recordings
import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop
import Glibc
import MockedInput

/// Prints the results of `DeviceMonitor` for a recording that umockdev plays as an event node.
///
/// Run as `umockdev-wrapper EvdevProbe EVENTS [DESCRIPTION] [--until FRAMES]`: the device exists when the monitor
/// starts, and its events are written to the node as they are read. After the frames of the recording, or after FRAMES
/// frames, it is unplugged. With `--replug` it returns as another node, once; with `--trigger` udev announces it again,
/// unchanged, at the tenth frame. Every frame and change is a line on standard output. `--reopen EVENTS` and `--twins
/// EVENTS` run `Reopening`, `--flood EVENTS` runs `Flooding`, `--retry EVENTS` runs `Retrying`. With `--decode` as the
/// first argument, it prints the frames that the decoder makes of the recording without a device, and with `--report`
/// the lines of `DecodeReport`.
///
/// With a real kernel, in the lab: `--uinput FOLDER` plays recordings through uinput, `--storm` overflows the kernel's
/// buffer, `--replaced` gives slots new tracking ids without lifting, `--grabbed` contends for a device, `--triggered`
/// makes udevd announce one again, `--refused` takes permissions away, `--resumed` suspends the machine.
@main
struct EvdevProbe {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        var frames: Int?
        if let until = arguments.firstIndex(of: "--until") {
            frames = Int(arguments[until + 1])
            arguments.removeSubrange(until...until + 1)
        }
        if arguments.first == "--report" { return try report(Array(arguments.dropFirst())) }
        if arguments.first == "--bench" {
            return try Benchmark.run(Int(arguments[1]) ?? 1, arguments[2], arguments.count > 3 ? arguments[3] : nil)
        }
        if arguments.first == "--uinput" { return try KernelRecordings.run(in: arguments[1]) }
        if arguments.first == "--storm" { return try KernelStorm.run() }
        if arguments.first == "--replaced" { return try KernelStorm.replace() }
        if arguments.first == "--triggered" { return try KernelStorm.trigger() }
        if arguments.first == "--resumed" { return try KernelResume.run() }
        if arguments.first == "--flood" { return try Flooding.run(arguments[1]) }
        if arguments.first == "--refused" { return try KernelRefusal.run() }
        if arguments.first == "--grabbed" { return try KernelGrab.run() }
        if arguments.first == "--reopen" { return try Reopening.byOtherRules(arguments[1]) }
        if arguments.first == "--settle" { return try Settling.run(arguments[1]) }
        if arguments.first == "--retry" { return try Retrying.run(arguments[1]) }
        if arguments.first == "--twins" { return try Reopening.twins(arguments[1]) }
        let isTriggered = arguments.first == "--trigger"
        if isTriggered { arguments.removeFirst() }
        let decodesOnly = arguments.first == "--decode"
        if decodesOnly { arguments.removeFirst() }
        let returns = arguments.first == "--replug"
        if returns { arguments.removeFirst() }
        let (events, described) = (arguments[0], arguments.count > 1 ? arguments[1] : nil)
        let (decoded, all) = try decoded(events, described)
        if decodesOnly {
            for frame in all { print(line(of: frame)) }
            return
        }
        let reader = try RecordingReader(path: events, description: described)
        let bed = try TestBed()
        // umockdev does not replace /run/udev, so this is a number that no device of the machine has there.
        let device = MockDevice(description: reader.description, number: 900)
        let player = EventWriter(reader, to: try bed.plug(device))
        let expected = frames ?? decoded.count

        let again = MockDevice(description: device.description, number: 901)
        var isBack = false

        let loop = try EpollRunLoop()
        var seen = 0
        let monitor = DeviceMonitor(
            loop: loop,
            onFrame: { frame in
                print(line(of: frame))
                seen += 1
                if isTriggered, seen == 10 { bed.trigger(device) }
                if seen == expected { bed.unplug(device) }
            },
            onChange: { change in
                print(line(of: change))
                switch change {
                case .removed where returns && !isBack:
                    isBack = true
                    do { try bed.plug(again) } catch { print("\(error)") }
                case .added where isBack: bed.unplug(again)
                case .added: break
                default: loop.stop()
                }
            })
        let pump = RunLoopTimer(name: "pump", after: .zero, repeating: .microseconds(100)) { _ in
            player.write()
            if player.isAtEnd, expected == 0 { bed.unplug(device) }
        }
        // The device still exists then only if frames are missing.
        let timeout = RunLoopTimer(name: "timeout", after: .seconds(600)) { _ in
            print("only \(seen) of \(expected) frames came")
            loop.stop()
        }
        loop.add(pump)
        loop.add(timeout)
        try monitor.start()
        if monitor.devices.contains(where: { $0.use == .used }) { loop.run() }
        monitor.stop()
    }

    private static func report(_ arguments: [String]) throws {
        var reader = try RecordingReader(path: arguments[0], description: arguments.count > 1 ? arguments[1] : nil)
        var report = DecodeReport(
            description: reader.description,
            role: DeviceRole(reader.description, udevProperties: reader.udevProperties))
        while let event = try reader.next() {
            if let line = report.feed(event) { print(line) }
        }
    }

    private static func decoded(_ path: String, _ description: String?) throws -> (
        frames: [InputFrame], all: [InputFrame]
    ) {
        var reader = try RecordingReader(path: path, description: description)
        var decoding = Decoding(reader)
        while let event = try reader.next() { decoding.feed(event) }
        let frames = decoding.frames
        decoding.cancelAll()
        return (frames, decoding.frames)
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
