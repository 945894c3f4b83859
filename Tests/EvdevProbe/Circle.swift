import CLinux
import Evdev
import EvdevFuzz
import EventLoop
import Glibc
import MockedInput

/// The circle: a random live device is read and recorded at the same time, and a replay of each recording gives the touches
/// that the device gave.
final class Circle {
    /// A recorder's name.
    private enum Recorder: CaseIterable { case touchd, kept, evemu, libinput }

    /// Whether evemu-record and libinput record are started, not imitated.
    private let startsTools: Bool
    private let bed: TestBed
    private let loop: EpollRunLoop
    private var random: SplitMix
    private var device: RandomDevice
    private var node: MockEvdev?
    private var tools: (evemu: RecordingProcess, libinput: RecordingProcess)?
    private var time: Int64 = 1_000_000_000
    private var number = 900
    private var compared: [Recorder: Int] = [:]

    /// Prints each difference, and to standard error its recording; then how many changes of each recorder were compared.
    /// - Parameters:
    ///   - seed: The same circles for the same seed.
    ///   - count: The number of recordings.
    ///   - startsTools: Whether evemu-record and libinput record are started, not imitated.
    static func run(seed: UInt64, count: Int, startsTools: Bool) throws {
        let circle = try Circle(seed: seed, startsTools: startsTools)
        for number in 0..<count / Recorder.allCases.count {
            if number % 4 == 0 { try circle.plug() }
            try circle.record()
        }
        for recorder in Recorder.allCases { print("\(recorder) \(circle.compared[recorder] ?? 0)") }
    }

    private init(seed: UInt64, startsTools: Bool) throws {
        self.startsTools = startsTools
        (bed, loop) = (try TestBed(), try EpollRunLoop())
        random = SplitMix(seed: seed)
        device = RandomDevice(.slots, random: &random)
    }

    private var mock: MockDevice { MockDevice(description: device.description, number: number) }

    /// Replaces the device by one of the next kind.
    private func plug() throws {
        if node != nil { bed.unplug(mock) }
        number += 1
        let kinds = RandomDevice.Kind.allCases
        // Slots have the most state.
        let kind = number % 2 == 0 ? .slots : kinds[number / 2 % kinds.count]
        device = RandomDevice(kind, random: &random)
        node = try bed.plug(mock)
    }

    /// Records the device, with fingers down or not, while a monitor reads it, and compares the replays.
    private func record() throws {
        try report(Int.random(in: 0...6, using: &random))
        var frames: [InputFrame] = []
        let history = TouchHistory(span: .milliseconds(Int64.random(in: 0...500, using: &random)))
        let monitor = DeviceMonitor(
            loop: loop,
            onFrame: { frame in
                frames.append(copy frame)
                for contact in frame.contacts where contact.phase == .began {
                    history.reveal(contact.id, of: frame.device)
                }
            }, onChange: { _ in })
        monitor.contactObserver = { history.opened($0) }
        try monitor.start()
        // The monitor opens the device when the recording begins, or has read it for a while.
        let isEarly = Bool.random(using: &random)
        if isEarly { try report(Int.random(in: 1...6, using: &random)) }
        var events: [InputEvent] = []
        let recorder = try DeviceRecorder(path: mock.path, loop: loop, onEvent: { events.append($0) }, onEnd: { _ in })
        tools = startsTools ? try Self.tools(mock.path) : nil
        let start = CircleStart(device, recorder.description, after: frames, isEarly: isEarly)
        try report(Int.random(in: 1...12, using: &random))
        recorder.stop()
        monitor.stop()

        let log = { TouchLog(frames, from: start.frames, start: events.first?.time, without: $0) }
        var writer = RecordingWriter()
        let lines = writer.header(for: recorder.description) + events.map { writer.line(for: $0) }.joined()
        let complete = start.omission(from: events, isComplete: true)
        try compare(lines, of: .touchd, with: log(complete), without: complete)
        let partial = start.omission(from: events, isComplete: false)
        let evemu =
            try tools?.evemu.finish(after: events.count, "E:") ?? RecordingTools.evemu(recorder.description, events)
        try compare(evemu, of: .evemu, with: log(partial), without: partial)
        let libinput =
            try tools?.libinput.finish(after: events.count, "- [")
            ?? RecordingTools.libinput(recorder.description, events)
        try compare(libinput, of: .libinput, with: log(partial), without: partial)
        tools = nil
        try compareKept(history, frames)
    }

    private static func tools(_ node: String) throws -> (evemu: RecordingProcess, libinput: RecordingProcess) {
        (
            try RecordingProcess(["evemu-record", node], describesUpTo: "#      Waiting for events      #"),
            try RecordingProcess(["libinput", "record", node], describesUpTo: "events:")
        )
    }

    /// The last minutes begin at any moment, with the contacts that are down then.
    private func compareKept(_ history: TouchHistory, _ frames: [InputFrame]) throws {
        let now = InputTimestamp(microseconds: time)
        guard let source = history.sources.first, !frames.isEmpty,
            var recording = history.recording(of: source.id, at: now)
        else { return }
        var text = ""
        while !recording.isAtEnd { text += recording.next(bytes: 1000) }
        var omission = TouchLog.Omission(trackingIDs: true, others: true, order: true)
        omission.slots = source.role.touchProtocol == .anonymous
        let kept = Self.kept(frames, since: InputTimestamp(microseconds: time - Int64(history.span / .microseconds(1))))
        try compare(
            text, of: .kept, with: TouchLog(kept, start: kept.first?.timestamp, without: omission), without: omission)
    }

    /// The frames since a time, after one in which the contacts that are down then begin.
    private static func kept(_ frames: [InputFrame], since start: InputTimestamp) -> [InputFrame] {
        var down: [Contact] = [], kept: [InputFrame] = []
        for frame in frames where !frame.contacts.isEmpty {
            if frame.timestamp >= start {
                kept.append(frame)
                continue
            }
            for var contact in frame.contacts {
                let index = down.firstIndex { $0.id == contact.id }
                let isDown = contact.phase == .began || contact.phase == .moved
                contact.phase = .began
                switch (index, isDown) {
                case (nil, true): down.append(contact)
                case (let index?, true): down[index] = contact
                case (let index?, false): down.remove(at: index)
                case (nil, false): break
                }
            }
        }
        if let first = kept.first, !down.isEmpty {
            kept.insert(InputFrame(device: first.device, timestamp: first.timestamp, contacts: down), at: 0)
        }
        return kept
    }

    private func compare(
        _ text: String, of recorder: Recorder, with expected: TouchLog, without omission: TouchLog.Omission
    ) throws {
        var omission = omission
        // In the replay they have not begun.
        (omission.contacts, omission.buttons) = ([], [])
        let replayed = TouchLog(try replay(text), without: omission)
        compared[recorder, default: 0] += expected.changes.count
        guard let difference = replayed.difference(from: expected) else { return }
        print("\(recorder), \(device.kind): \(difference)")
        text.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
    }

    /// Sends reports, which the readers read some at a time.
    private func report(_ count: Int) throws {
        guard let node else { return }
        var isHeld = false
        for index in 0..<count {
            if !isHeld {
                // It ends when poll(2) returns and it has nothing to read, which happens only here: for the other readers.
                try tools?.evemu.suspend()
                isHeld = true
            }
            time += Int64.random(in: 1...40, using: &random) * 1000
            node.turn(to: InputTimestamp(microseconds: time))
            for event in device.report() { node.send(type: event.type, code: event.code, value: event.value) }
            guard index % 3 == 2 || index == count - 1 else { continue }
            if let tools {
                while node.unreadCount > 1 { readAvailable() }
                tools.evemu.resume()
                isHeld = false
            }
            while !node.isRead { readAvailable() }
        }
    }

    private func readAvailable() {
        // The loop is not told when another program has read its events.
        let limit = tools == nil ? nil : Deadline.after(.milliseconds(1))
        _ = loop.run(mode: .default, until: limit, returnAfterSourceHandled: true)
    }

    /// The frames of a recording at a random speed.
    private func replay(_ text: String) throws -> [InputFrame] {
        let path = "\(bed.root)/recording"
        guard let file = fopen(path, "w") else { throw TestBed.Failure.last(path) }
        fputs(text, file)
        fclose(file)
        let speed: RecordingPlayer.Speed = Bool.random(using: &random) ? .maximum : .factor(20)
        var frames: [InputFrame] = [], failure: RecordingError?, elapsed = Duration.zero
        let player = RecordingPlayer(
            try RecordingReader(path: path), path: path, loop: loop, speed: speed,
            onFrame: { frame in
                frames.append(copy frame)
                if speed != .maximum, elapsed * 20 != .microseconds(frame.timestamp.microseconds) {
                    print("a frame of \(frame.timestamp.microseconds) µs came at \(elapsed)")
                }
            },
            onEnd: { failure = $0 })
        // The clock is turned to the time at which the player wants to be called again.
        while let next = player.playDue(at: elapsed) { elapsed = next }
        if let failure { throw failure }
        return frames
    }
}
