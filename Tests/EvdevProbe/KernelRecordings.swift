import Recordings
import CLinux
import Evdev

/// Plays recordings to the kernel and compares the monitor's frames with those of the decoder for the same recording
/// without a device.
///
/// Each recording has its own device, which stays, so that state cannot leak from one to the next.
enum KernelRecordings {
    private struct Part {
        let name: String
        let events: String
        let description: String?
        var device: UinputDevice?
        var refusal: UinputDevice.Refusal?
        var info: DeviceInfo?
        /// The frames that the decoder makes of the recording.
        var expected: [InputFrame] = []
    }

    /// Reads `RECORDING` or `RECORDING<tab>DESCRIPTION` lines from standard input, both below a folder, and prints a
    /// line for each: its name, the device's role, frames, contacts began, ended and cancelled, and `alike` or how the
    /// first frame differs, separated by tabs. For a device that is not played: the name and the reason.
    static func run(in folder: String) throws {
        var parts: [Part] = []
        while let line = readLine() {
            let names = line.split(separator: "\t").map { "\($0)" }
            guard let name = names.first else { continue }
            let description = names.count > 1 ? "\(folder)/\(names[1])" : nil
            parts.append(Part(name: name, events: "\(folder)/\(name)", description: description))
        }

        let scene = try Scene()
        var made = 0
        for index in parts.indices {
            // udev handles the next devices while this one is played.
            while made < min(index + 4, parts.count) {
                try plug(&parts[made])
                made += 1
            }
            guard let device = parts[index].device else { continue }
            let info = try scene.awaitArrival(of: device.path)
            parts[index].info = info
            if info.use == .used { parts[index].expected = try play(parts[index], on: device, scene) }
        }
        let paths = parts.compactMap { $0.info?.use == .used ? $0.info?.path : nil }
        for index in parts.indices { parts[index].device = nil }
        try scene.awaitRemoval(of: paths)
        for part in parts { print(try verdict(part, scene)) }
    }

    private static func plug(_ part: inout Part) throws {
        let reader = try RecordingReader(path: part.events, description: part.description)
        do {
            part.device = try UinputDevice(reader.description)
        } catch let refusal as UinputDevice.Refusal {
            part.refusal = refusal
        }
    }

    /// Sends the events as fast as the loop reads them, a report at a time; returns the decoder's frames.
    private static func play(_ part: Part, on device: UinputDevice, _ scene: Scene) throws -> [InputFrame] {
        var reader = try RecordingReader(path: part.events, description: part.description)
        var decoding = Decoding(reader)
        while let event = try reader.next() {
            decoding.feed(event)
            device.send(event.type, event.code, event.value)
            if event.type == UInt16(EV_SYN), event.code == UInt16(SYN_REPORT) { scene.read() }
        }
        scene.read()
        decoding.cancelAll()
        return decoding.frames
    }

    private static func verdict(_ part: Part, _ scene: Scene) throws -> String {
        if let refusal = part.refusal { return "\(part.name)\trefused: \(refusal.reason)" }
        guard let info = part.info else { return "\(part.name)\tnever came" }
        if case .ignored(let reason) = info.use { return "\(part.name)\tleft alone: \(reason)" }
        let seen = try scene.seen(of: info)
        let (expected, came) = (part.expected.map(\.contents), seen.frames.map(\.contents))
        var verdict = "alike"
        if expected != came {
            let frame = zip(expected, came).prefix { $0 == $1 }.count
            let pair = [expected, came].map { frame < $0.count ? "\($0[frame])" : "nothing" }
            verdict = "differs in frame \(frame) of \(expected.count): \(pair[0]) was decoded, \(pair[1]) came"
        }
        let counts = [came.count, seen.began, seen.ended, seen.cancelled].map(String.init)
        return ([part.name, info.role.kind.rawValue] + counts + [verdict]).joined(separator: "\t")
    }
}

extension InputFrame {
    /// The frame without its device and its time, which the kernel assigns again.
    fileprivate var contents: InputFrame {
        var frame = self
        frame.device = DeviceID(rawValue: 0)
        frame.timestamp = InputTimestamp(microseconds: 0)
        return frame
    }
}
