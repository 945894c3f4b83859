import Evdev
import EventLoop
import Foundation
import Glibc
import Testing

@Suite("Recordings from a pipe")
struct PipedRecordingTests {
    private let pipe = Pipe()
    private static let press = """
        E: 5.0 0003 0039 4
        E: 5.0 0003 0035 10
        E: 5.0 0003 0036 20
        E: 5.0 0000 0000 0

        """

    /// The pipe's name; opening it gives another descriptor of the same pipe.
    private var path: String { "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)" }

    private func write(_ text: String) throws { try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    private func error(of text: String, device: String? = nil) throws -> String? {
        try write(text)
        try pipe.fileHandleForWriting.close()
        let error = #expect(throws: RecordingError.self) { _ = try RecordingReader(path: path, device: device) }
        return error.map { String($0.description.dropFirst(path.count)) }
    }

    @Test("An event is read when its line has arrived, although the pipe stays open")
    func arrivingLines() throws {
        var reader = try RecordingReader(opening: path)
        var steps = [try reader.open()]
        try write(panelHeader)
        steps.append(try reader.open())
        try write("E: 5.0 0003 0039 4\nE: 5.1 0003 00")
        steps.append(try reader.open())
        #expect(steps == [false, false, true])
        let name = reader.description.name
        #expect(name == "panel")

        var events = [try next(&reader), try next(&reader)]
        try write("35 10\n")
        events.append(try next(&reader))
        try pipe.fileHandleForWriting.close()
        events.append(try next(&reader))
        #expect(events == ["4 at 0", "waiting", "10 at 100000", "end"])
    }

    private func next(_ reader: inout RecordingReader) throws -> String {
        if let event = try reader.next() { return "\(event.value) at \(event.time.microseconds)" }
        return reader.isWaiting ? "waiting" : "end"
    }

    @Test("A compressed recording is read from a pipe in any pieces, with several members")
    func compressed() throws {
        let file = Expectation.folder + "wacom-dth2242-touch/Wacom DTH2242 Finger.events.gz"
        let data = try Data(contentsOf: URL(filePath: file))
        let whole = try read(file).events
        var reader = try RecordingReader(opening: path)
        var events: [InputEvent] = [], isOpen = false
        for start in stride(from: 0, to: data.count, by: 999) {
            try pipe.fileHandleForWriting.write(contentsOf: data[start..<min(start + 999, data.count)])
            if !isOpen { isOpen = try reader.open() }
            while isOpen, let event = try reader.next() { events.append(event) }
            let isWaiting = reader.isWaiting
            #expect(isWaiting)
        }
        try pipe.fileHandleForWriting.close()
        #expect(try next(&reader) == "end")
        #expect(events == whole)

        let twice = try temporaryFile("two members")
        try (data + data).write(to: URL(filePath: twice))
        let error = #expect(throws: RecordingError.self) { _ = try read(twice) }
        // The second member was read: a second recording in one file is refused.
        #expect(error?.description.contains("a second recording") == true)
    }

    @Test("A recording without a description needs a file")
    func withoutDescription() throws {
        #expect(
            try error(of: Self.press)
                == ": error: a recording without a device description needs a file, not a pipe; save it to a file and "
                + "read that, or add --description FILE")
    }

    @Test("A recording of several devices needs a file")
    func severalDevices() throws {
        let text = """
            ndevices: 2
            devices:
            - node: /dev/input/event4
              evdev:
                name: "one"
              events:
              - evdev:
                - [  0,     10,   1, 330,       1]

            """
        #expect(
            try error(of: text)
                == ": error: a recording of several devices needs a file, not a pipe; save it to a file and read that")
    }

    private static let lift = "E: 6.0 0003 0039 -1\nE: 6.0 0000 0000 0\n"

    @Test("What is due before the next event has arrived is played at its time; at maximum speed with that event")
    func deadlines() throws {
        for speed in [RecordingPlayer.Speed.recorded, .maximum] {
            let test = PipedRecordingTests()
            try test.write(panelHeader + Self.press)
            var seen: [String] = []
            var alarm: InputTimestamp? = InputTimestamp(microseconds: 500_000)
            let player = RecordingPlayer(
                try RecordingReader(path: test.path), path: test.path, loop: try EpollRunLoop(), speed: speed,
                onFrame: { frame in seen += frame.contacts.map { "\($0.phase) \(frame.timestamp.microseconds)" } },
                onEnd: { _ in seen.append("end") })
            player.timers = (
                { alarm },
                {
                    alarm = nil
                    seen.append("timer")
                }
            )
            let isPaced = speed == .recorded
            #expect(player.playDue(at: .zero) == (isPaced ? .milliseconds(500) : nil))
            #expect(seen == ["began 0"])
            _ = player.playDue(at: .milliseconds(500))
            #expect(seen == (isPaced ? ["began 0", "timer"] : ["began 0"]))
            try test.write(Self.lift)
            _ = player.playDue(at: .seconds(1))
            #expect(seen == ["began 0", "timer", "ended 1000000"])
            try test.pipe.fileHandleForWriting.close()
            #expect(player.playDue(at: .seconds(1)) == nil)
            #expect(seen.last == "end")
        }
    }

    @Test(
        "A player on a run loop plays each event that arrives",
        arguments: [RecordingPlayer.Speed.maximum, .factor(50)])
    func arrivals(speed: RecordingPlayer.Speed) throws {
        try write(panelHeader + Self.press)
        let loop = try EpollRunLoop()
        var seen: [Contact.Phase] = []
        // After the player has asked for the next event.
        let writer = RunLoopTimer(name: "writer") { [self] _ in
            if seen == [.began] { try? write(Self.lift) } else { try? pipe.fileHandleForWriting.close() }
        }
        loop.add(writer)
        let player = RecordingPlayer(
            try RecordingReader(path: path), path: path, loop: loop, speed: speed,
            onFrame: { frame in
                seen += frame.contacts.map(\.phase)
                writer.reschedule(after: .milliseconds(1))
            },
            onEnd: { _ in loop.stop() })
        player.start()
        #expect(loop.run(until: .after(.seconds(600))) == .stopped)
        #expect(seen == [.began, .ended])
    }
}
