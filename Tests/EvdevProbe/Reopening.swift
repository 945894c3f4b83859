import Recordings
import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop
import MockedInput

/// Shows the reports of `DeviceMonitor.reopen(rules:)` with umockdev devices; every frame and change is a line.
enum Reopening {
    /// At the tenth frame of a recording, with its finger down, reopens the device with other rules, several times.
    static func byOtherRules(_ path: String) throws {
        let reader = try RecordingReader(path: path)
        let bed = try TestBed()
        let device = MockDevice(description: reader.description, number: 900)
        let player = EventWriter(reader, to: try bed.plug(device))
        let loop = try EpollRunLoop()
        var seen = 0
        var reopen: ([DeviceRule]?) -> Void = { _ in }
        let monitor = DeviceMonitor(
            loop: loop,
            onFrame: { frame in
                print(EvdevProbe.line(of: frame))
                seen += 1
                guard seen == 10 else { return }
                var turned = rule("turned")
                turned.rotation = .quarter
                var unused = rule("unused")
                unused.use = false
                var grabbed = rule("grabbed")
                grabbed.grabs = true
                for rules in [nil, [turned], [unused], [unused], [], [grabbed], [grabbed], []] { reopen(rules) }
                bed.unplug(device)
            },
            onChange: { change in
                print(EvdevProbe.line(of: change))
                if case .removed(let info) = change, !info.settings.rules.contains("turned") { loop.stop() }
            })
        reopen = { rules in
            print("reopen " + (rules.map { "\($0.map(\.label))" } ?? "as before"))
            do { try monitor.reopen(rules: rules) } catch { print("\(error)") }
            print("settings \(monitor.devices.map(\.settings.rules))")
        }
        let pump = RunLoopTimer(name: "pump", after: .zero, repeating: .microseconds(100)) { _ in player.write() }
        loop.add(pump)
        stop(loop, after: .seconds(600))
        try monitor.start()
        loop.run()
        monitor.stop()
    }

    /// Two devices of one kind without a port; the first one has the greater node number.
    static func twins(_ path: String) throws {
        let reader = try RecordingReader(path: path)
        var description = reader.description
        description.physicalPath = ""
        let bed = try TestBed()
        try bed.plug(MockDevice(description: description, number: 901))
        let loop = try EpollRunLoop()
        var added = 0
        let monitor = DeviceMonitor(
            loop: loop, onFrame: { _ in },
            onChange: { change in
                print(EvdevProbe.line(of: change))
                if case .added = change { added += 1 }
                if added == 2 { loop.stop() }
            })
        stop(loop, after: .seconds(600))
        try monitor.start()
        try bed.plug(MockDevice(description: description, number: 900))
        loop.run()
        var unused = rule("unused")
        unused.use = false
        try monitor.reopen(rules: [unused])
        try monitor.reopen(rules: [])
        print(monitor.devices.map { "\($0.id.rawValue) \($0.path)" }.joined(separator: ", "))
        monitor.stop()
    }

    private static func rule(_ label: String) -> DeviceRule { DeviceRule(label: label, match: .init()) }

    /// The timeout applies only if an expected event is missing.
    private static func stop(_ loop: EpollRunLoop, after timeout: Duration) {
        let timer = RunLoopTimer(name: "timeout", after: timeout) { _ in
            print("nothing more came")
            loop.stop()
        }
        loop.add(timer)
    }
}
