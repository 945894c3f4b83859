import Basics
import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop
import Foundation
import Glibc
import MockedInput

/// umockdev's devices and a monitor; every change, and what a scenario shows, is a line.
final class MockedScene {
    let bed: TestBed
    let loop: EpollRunLoop
    var onFrame: (borrowing InputFrame) -> Void = { _ in }
    var onChange: (DeviceChange) -> Void = { _ in }
    private(set) lazy var monitor = DeviceMonitor(
        loop: loop, onFrame: { [unowned self] in onFrame($0) },
        onChange: { [unowned self] change in
            print(EvdevProbe.line(of: change))
            onChange(change)
        })
    private var isOver = false

    /// - Parameter asNobody: Whether to become a user who may not open everything, as root may.
    init(asNobody: Bool) throws {
        if asNobody, geteuid() == 0 {
            // The test bed is in TMPDIR, which root has created.
            if let folder = getenv("TMPDIR") { chown(folder, 65_534, 65_534) }
            guard setuid(65_534) == 0 else { throw TestBed.Failure(message: "cannot change the user") }
        }
        (bed, loop) = (try TestBed(), try EpollRunLoop())
    }

    func run(_ scenario: String, _ path: String, _ description: String?) throws {
        switch scenario {
        case "--reopen": try reopen(path)
        case "--twins": try findTwins(path)
        case "--flood": try flood(path)
        case "--overrun": try overrun(path)
        case "--retry": try retry(path)
        case "--settle": try settle(path)
        case "--attributes": try changeAttributes(path)
        case "--script", "--script-without-slots", "--script-without-clocks": try follow(path, scenario)
        case "--record": try record(path)
        case "--resting": try rest(path)
        case "--stop-debounced", "--reopen-debounced": try debounce(path, stops: scenario == "--stop-debounced")
        default: try play(path, description, scenario)
        }
    }

    /// Runs the monitor until `stop()`.
    ///
    /// - Parameters:
    ///   - pump: Called again and again.
    ///   - started: Called when the devices that are present have been reported.
    func run(_ pump: @escaping () -> Void = {}, started: () throws -> Void = {}) throws {
        let timers = [
            RunLoopTimer(name: "pump", after: .zero, repeating: .microseconds(100)) { _ in pump() },
            // Only a failure reaches this limit.
            RunLoopTimer(name: "timeout", after: .seconds(600)) { [unowned self] _ in
                print("nothing more came")
                stop()
            },
        ]
        for timer in timers { loop.add(timer) }
        try monitor.start()
        try started()
        if !isOver { loop.run() }
        for timer in timers { timer.invalidate() }
    }

    func stop() {
        isOver = true
        loop.stop()
    }

    /// A device that is plugged in, and the writer of its recording's events.
    ///
    /// umockdev does not replace /run/udev, so the nodes have numbers that no device of the machine has.
    func plug(_ path: String, _ description: String? = nil, number: Int = 900) throws -> (MockDevice, EventWriter) {
        let reader = try RecordingReader(path: path, description: description)
        let device = MockDevice(description: reader.description, number: number)
        return (device, try EventWriter(reader, to: bed.plug(device)))
    }

    /// Plays a recording and unplugs the device after its last frame; with `--unplug` after the tenth one. With `--replug`
    /// the device returns as another node, once; with `--trigger` udev announces it again, unchanged, at the tenth frame.
    /// With `--compare` the frames that the decoder makes of the recording without a device come first, as `decoded …`.
    private func play(_ path: String, _ description: String?, _ scenario: String) throws {
        let frames = try decoded(path, description)
        if scenario == "--compare" {
            for frame in frames.reports + frames.removal { print("decoded", EvdevProbe.line(of: frame)) }
        }
        let expected = scenario == "--unplug" ? 10 : frames.reports.count
        let (device, player) = try plug(path, description)
        var again: MockDevice?
        var seen = 0
        onFrame = { [unowned self] frame in
            print(EvdevProbe.line(of: frame))
            seen += 1
            if seen == 10, scenario == "--trigger" { bed.trigger(device) }
            if seen == expected { bed.unplug(device) }
        }
        onChange = { [unowned self] change in
            switch change {
            case .removed where scenario == "--replug" && again == nil:
                let returned = MockDevice(description: device.description, number: 901)
                again = returned
                do { try bed.plug(returned) } catch { print(error) }
            case .added: if let again { bed.unplug(again) }
            default: stop()
            }
        }
        try run { [unowned self] in
            player.write()
            if player.isAtEnd, expected == 0 { bed.unplug(device) }
        }
        monitor.stop()
    }

    /// At the tenth frame of a recording, with its finger down, reopens the device with other rules, several times.
    private func reopen(_ path: String) throws {
        let (device, player) = try plug(path)
        var seen = 0
        onFrame = { [unowned self] frame in
            print(EvdevProbe.line(of: frame))
            seen += 1
            guard seen == 10 else { return }
            let turned = Self.rule("turned") { $0.rotation = .quarter }
            let unused = Self.rule("unused") { $0.use = false }
            let grabbed = Self.rule("grabbed") { $0.grabs = true }
            for rules in [nil, [turned], [unused], [unused], [], [grabbed], [grabbed], []] {
                print("reopen " + (rules.map { "\($0.map(\.label))" } ?? "as before"))
                do { try monitor.reopen(rules: rules) } catch { print(error) }
                print("settings \(monitor.devices.map(\.settings.rules))")
            }
            bed.unplug(device)
        }
        onChange = { [unowned self] change in
            if case .removed(let info) = change, !info.settings.rules.contains("turned") { stop() }
        }
        try run { player.write() }
        monitor.stop()
    }

    private static func rule(_ label: String, _ change: (inout DeviceRule) -> Void) -> DeviceRule {
        var rule = DeviceRule(label: label, match: .init())
        change(&rule)
        return rule
    }

    /// Two devices of one kind without a port; the first one has the greater node number.
    private func findTwins(_ path: String) throws {
        var description = try RecordingReader.description(path: path)
        description.physicalPath = ""
        try bed.plug(MockDevice(description: description, number: 901))
        var changes = 0
        onChange = { [unowned self] _ in
            changes += 1
            if changes == 2 { stop() }
        }
        try run(started: { try bed.plug(MockDevice(description: description, number: 900)) })
        for rules in [[Self.rule("unused") { $0.use = false }], []] { try monitor.reopen(rules: rules) }
        print(monitor.devices.map { "\($0.id.rawValue) \($0.path)" }.joined(separator: ", "))
        monitor.stop()
    }

    /// Two panels: one puts a finger down and reports more moves in one second than any panel sends, the other works
    /// normally. Shows the frames in which a finger begins or ends.
    private func flood(_ path: String) throws {
        let description = try RecordingReader.description(path: path)
        func panel(_ number: Int, _ events: [InputEvent]) throws -> EventWriter {
            try EventWriter(events, to: bed.plug(MockDevice(description: description, number: number)))
        }
        func events(_ time: Int64, _ axis: (code: UInt16, value: Int32)) -> [InputEvent] {
            [
                InputEvent(type: 3, code: axis.code, value: axis.value, time: InputTimestamp(microseconds: time)),
                InputEvent(type: 0, code: 0, value: 0, time: InputTimestamp(microseconds: time)),
            ]
        }
        let down = events(1_000_000, (0x39, 1))
        let flood = try panel(900, down + (0..<130_000).flatMap { events(1_000_000, (0x35, $0 % 500)) })
        let touch = try panel(901, down + events(1_100_000, (0x39, -1)))
        var isQuarantined = false
        onFrame = { [unowned self] frame in
            let phases = frame.contacts.map(\.phase)
            guard frame.device.rawValue == 2 || phases.contains(where: { $0 != .moved }) else { return }
            print("device \(frame.device.rawValue): " + phases.map { "\($0)" }.joined(separator: ", "))
            if frame.device.rawValue == 2, phases.contains(.ended) { stop() }
        }
        onChange = { if case .failed = $0 { isQuarantined = true } }
        try run { if isQuarantined { touch.write() } else { flood.write() } }
        monitor.stop()
    }

    /// A panel that sends more moves than the kernel keeps before they are read.
    private func overrun(_ path: String) throws {
        let node = try bed.plug(MockDevice(description: RecordingReader.description(path: path), number: 900))
        onChange = { change in
            guard case .added = change else { return }
            for move in 1...1000 as ClosedRange<Int32> {
                node.send(type: 3, code: 0, value: move)
                node.send(type: 0, code: 0, value: 0)
            }
        }
        try run { [unowned self] in if Counter.overruns.value > 0 { stop() } }
        print("overruns: \(Counter.overruns.value)")
        monitor.stop()
    }

    /// A panel sends the reports of a script, which `;` separates, each when the one before was read, and those between
    /// `&` at once. `overrun` is more moves than the kernel keeps.
    private func follow(_ script: String, _ scenario: String) throws {
        let node = try bed.plug(
            MockDevice(description: Self.panel, number: 900), hasSlots: scenario != "--script-without-slots",
            hasClocks: scenario != "--script-without-clocks")
        onChange = { for note in $0.info.notes { print(note) } }
        var steps = script.split(separator: ";")[...]
        onFrame = { [unowned self] in print(contacts(of: $0)) }
        try run { [unowned self] in
            guard node.isRead else { return }
            guard let step = steps.popFirst() else { return stop() }
            for report in step.split(separator: "&") { send(report, to: node) }
        }
        monitor.stop()
    }

    /// The monitor and a recorder open a panel after the first step of a script, as `follow` sends it. Shows the touches,
    /// and then those of the recording's replay.
    private func record(_ script: String) throws {
        let device = MockDevice(description: Self.panel, number: 900)
        let node = try bed.plug(device)
        var steps = script.split(separator: ";")[...]
        for report in steps.removeFirst().split(separator: "&") { send(report, to: node) }
        var writer = RecordingWriter(), text = ""
        let recorder = try DeviceRecorder(
            path: device.path, loop: loop, onEvent: { text += writer.line(for: $0) }, onEnd: { print($0) })
        onFrame = { [unowned self] in print(contacts(of: $0)) }
        try run { [unowned self] in
            guard node.isRead else { return }
            guard let step = steps.popFirst() else { return stop() }
            for report in step.split(separator: "&") { send(report, to: node) }
        }
        monitor.stop()
        recorder.stop()

        let path = bed.root + "/recording.evemu"
        try (writer.header(for: recorder.description) + text).write(toFile: path, atomically: true, encoding: .utf8)
        print("replay")
        for frame in try decoded(path, nil).reports { print(contacts(of: frame)) }
    }

    /// A finger is down by the first report of a script when the panel is opened, whose rule has a lift delay. Shows the
    /// first frame of the other reports.
    private func rest(_ script: String) throws {
        let node = try bed.plug(MockDevice(description: Self.panel, number: 900))
        var steps = script.split(separator: ";")[...]
        send(steps.removeFirst(), to: node)
        try monitor.reopen(rules: [Self.rule("without lifts") { $0.liftDelay = 1 }])
        var frames = 0
        onFrame = { [unowned self] in
            frames += 1
            if frames == 1 { print(contacts(of: $0)) }
            stop()
        }
        try run { [unowned self] in
            if node.isRead, let step = steps.popFirst() { send(step, to: node) }
        }
        monitor.stop()
    }

    /// A handler stops or reopens the monitor when a debounced contact begins.
    private func debounce(_ script: String, stops: Bool) throws {
        let node = try bed.plug(MockDevice(description: Self.panel, number: 900))
        try monitor.reopen(rules: [Self.rule("noisy") { $0.filter = ContactFilter(debounce: 1000) }])
        var frames = 0
        onFrame = { [unowned self] frame in
            print(contacts(of: frame))
            frames += 1
            guard frames == 1 else { return }
            if stops {
                monitor.stop()
            } else {
                do { try monitor.reopen(rules: []) } catch { print(error) }
            }
            stop()
        }
        onChange = { [unowned self] in if case .added = $0 { send(script[...], to: node) } }
        try run()
        monitor.stop()
    }

    private func contacts(of frame: borrowing InputFrame) -> String {
        frame.contacts.map { "\($0.phase) \($0.id) at \($0.raw.x),\($0.raw.y)" }.joined(separator: "; ")
    }

    /// Sends a report, such as `slot=1 id=5 x=100`.
    private func send(_ report: Substring, to node: MockEvdev) {
        if report == "overrun" {
            for move in 1...1000 as ClosedRange<Int32> {
                node.send(type: EventType.absolute, code: AbsCode.x, value: move)
                node.send(type: EventType.synchronization, code: SynCode.report, value: 0)
            }
            return
        }
        for event in report.split(separator: " ") {
            let parts = event.split(separator: "=")
            guard let code = Self.axes[String(parts[0])], let value = Int32(parts[1]) else { fatalError("\(event)") }
            node.send(type: EventType.absolute, code: code, value: value)
        }
        node.send(type: EventType.synchronization, code: SynCode.report, value: 0)
    }

    private static let axes = [
        "slot": AbsCode.slot, "id": AbsCode.trackingID, "x": AbsCode.positionX, "y": AbsCode.positionY,
        "tool": AbsCode.toolType,
    ]

    /// A touchscreen with ten slots.
    private static var panel: DeviceDescription {
        var panel = DeviceDescription(name: "scripted panel")
        panel.properties.insert(InputProperty.direct)
        for code in axes.values { panel.insertAxis(code, AxisInfo(minimum: 0, maximum: 65535)) }
        panel.axes[AbsCode.slot]?.maximum = 9
        panel.insertAxis(AbsCode.x, AxisInfo(minimum: 0, maximum: 65535))
        return panel
    }

    /// Two panels whose nodes are missing. After both have failed, one node is moved into place without an event. When
    /// that panel is used, the monitor is stopped while the other still waits.
    private func retry(_ path: String) throws {
        let devices = try [900, 901].map { try plug(path, number: $0).0 }
        for device in devices { try bed.hide(device, true) }
        onChange = { [unowned self] in if case .added = $0 { stop() } }
        try run(started: { try bed.hide(devices[1], false) })
        monitor.stop()
        print("stopped: \(loop.run())")
    }

    /// Two devices that are not used change their attributes twice: a panel whose node is missing, and a keyboard. Then
    /// the keyboard is unplugged, and a panel is plugged in.
    private func changeAttributes(_ path: String) throws {
        let panel = try plug(path).0
        try bed.hide(panel, true)
        var description = DeviceDescription(name: "keys")
        for code in 1...60 as ClosedRange<UInt16> { description[EventType.key].insert(code) }
        let keyboard = MockDevice(description: description, number: 901)
        try bed.plug(keyboard)
        onChange = { [unowned self] in if case .added = $0 { stop() } }
        try run(started: {
            for device in [panel, keyboard, panel, keyboard] { bed.trigger(device) }
            _ = try plug(path, number: 902)
        })
        monitor.stop()
    }

    /// Two panels whose nodes only root may open at first, because udev sets their group later; one is opened to everybody
    /// before the next try.
    private func settle(_ path: String) throws {
        let devices = try [900, 901].map { try plug(path, number: $0).0 }
        for device in devices { try bed.setMode(0, of: device) }
        var changes = 0
        onChange = { [unowned self] _ in
            changes += 1
            if changes == 2 { stop() }
        }
        try run(started: {
            print("started")
            try bed.setMode(0o600, of: devices[0])
        })
        monitor.stop()
    }
}

/// Plays events to a mocked node as fast as they are read, so that none is dropped.
final class EventWriter {
    private var events: ArraySlice<InputEvent>
    private let node: MockEvdev

    init(_ events: [InputEvent], to node: MockEvdev) { (self.events, self.node) = (events[...], node) }

    convenience init(_ reader: consuming RecordingReader, to node: MockEvdev) throws {
        var events: [InputEvent] = []
        while let event = try reader.next() { events.append(event) }
        self.init(events, to: node)
    }

    /// Whether the last event was written.
    var isAtEnd: Bool { events.isEmpty }

    /// Writes the next events if the previous ones were read. Every device's queue holds 64 events.
    func write() {
        guard !isAtEnd, node.isRead else { return }
        node.replay(Array(events.prefix(64)))
        events = events.dropFirst(64)
    }
}
