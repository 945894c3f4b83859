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
        var device: VirtualDevice?
        var path = ""
        /// Why uinput cannot create the device.
        var refusal: VirtualDeviceError?
    }

    /// Reads `RECORDING` or `RECORDING<tab>DESCRIPTION` lines from standard input, both below a folder, and prints a
    /// line for each: its name, the device's role, frames, contacts began, ended and cancelled, and `alike` or how the
    /// first frame differs, separated by tabs. For a device that is not played: the name and the reason.
    static func run(in folder: String) throws {
        var parts: [Part] = []
        while let line = readLine() {
            let names = line.split(separator: "\t").map { "\(folder)/\($0)" }
            guard let events = names.first else { continue }
            let name = String(line.prefix { $0 != "\t" })
            parts.append(Part(name: name, events: events, description: names.count > 1 ? names[1] : nil))
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
            if try scene.awaitArrival(of: device.path).use == .used { try play(parts[index], on: device, scene) }
        }
        for index in parts.indices { parts[index].device = nil }
        for part in parts { print("\(part.name)\t\(try verdict(part, scene))") }
    }

    private static func plug(_ part: inout Part) throws {
        var description = try RecordingReader(path: part.events, description: part.description).description
        // The recorded events have passed the kernel's noise filter, so they must not be filtered again.
        for code in description.axes.keys { description.axes[code]?.fuzz = 0 }
        description.physicalPath = ""
        do throws(VirtualDeviceError) {
            part.device = try VirtualDevice(description)
        } catch {
            part.refusal = error
        }
        part.path = part.device?.path ?? ""
    }

    /// Sends the events as fast as the loop reads them, a report at a time.
    private static func play(_ part: Part, on device: VirtualDevice, _ scene: Scene) throws {
        var reader = try RecordingReader(path: part.events, description: part.description)
        while let event = try reader.next() {
            try device.write(type: event.type, code: event.code, value: event.value)
            if event.type == EventType.synchronization, event.code == SynCode.report { scene.read() }
        }
        scene.read()
    }

    private static func verdict(_ part: Part, _ scene: Scene) throws -> String {
        if case .refused(let reason)? = part.refusal { return "refused: \(reason)" }
        let info = try scene.awaitArrival(of: part.path)
        if case .ignored(let reason) = info.use { return "left alone: \(reason)" }
        try scene.awaitRemoval(of: part.path)
        let seen = try scene.seen(of: info)
        let frames = try decoded(part.events, part.description)
        let (expected, came) = ((frames.reports + frames.removal).map(\.contents), seen.frames.map(\.contents))
        var verdict = "alike"
        if expected != came {
            let frame = zip(expected, came).prefix { $0 == $1 }.count
            let pair = [expected, came].map { frame < $0.count ? "\($0[frame])" : "nothing" }
            verdict = "differs in frame \(frame) of \(expected.count): \(pair[0]) was decoded, \(pair[1]) came"
        }
        let counts = [came.count, seen.began, seen.ended, seen.cancelled].map(String.init)
        return ([info.role.kind.rawValue] + counts + [verdict]).joined(separator: "\t")
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
