import Evdev
import EventLoop
import Testing

@Suite("Playing a recording on a run loop")
struct RecordingPlayerTests {
    static let drag = "atmel-maxtouch/Atmel maXTouch Touchscreen.1-finger-drag-up-down.events"
    private static let tap = "egalax-pcap/eGalax_eMPIA Technology Inc. PCAP MultiTouch Controller"
    /// A finger that comes down and stays.
    private static let press =
        panelHeader
            + """
            E: 0.000000 0003 0039 4
            E: 0.000000 0003 0035 10
            E: 0.000000 0003 0036 20
            E: 0.000000 0000 0000 0

            """
    /// The finger's further positions, one every 2 ms.
    private static let moves = (1...3).map { "E: 0.00\($0 * 2) 0003 0035 1\($0)\nE: 0.00\($0 * 2) 0000 0000 0\n" }
        .joined()

    @Test(
        "At maximum speed every frame arrives, and other sources run in between",
        arguments: [RecordingPlayer.Speed.maximum, .factor(1e9)])
    func maximumSpeed(speed: RecordingPlayer.Speed) throws {
        let loop = try EpollRunLoop()
        var turnsOfOther = 0
        let other = SignalledSource(name: "other") { turnsOfOther += 1 }
        loop.add(other)
        var phases: [Contact.Phase] = []
        try played(Expectation.folder + Self.drag, speed: speed, on: loop) { frame in
            phases += frame.contacts.map(\.phase)
            other.signal()
        }
        #expect(phases.count(where: { $0 == .began }) == phases.count(where: { $0 == .ended }))
        #expect(phases.count > 100)
        #expect(turnsOfOther >= 2)
    }

    @Test(
        "A recording that stops with a finger down cancels it at its end; a contact held by the debounce time begins before",
        arguments: [RecordingPlayer.Speed.maximum, .factor(1000), .recorded], [0, 20_000])
    func fingerDownAtTheEnd(speed: RecordingPlayer.Speed, debounce: Int64) throws {
        var rule = DeviceRule(label: "noisy", match: .init())
        rule.filter = ContactFilter(debounce: debounce)
        let start = ContinuousClock.now
        var seen: [String] = []
        let player = try played(temporaryFile(Self.press), speed: speed, rules: [rule]) { frame in
            seen += frame.contacts.map { "\($0.phase) \(frame.timestamp.microseconds)" }
            if speed == .recorded {
                #expect(ContinuousClock.now - start >= .microseconds(frame.timestamp.microseconds))
            }
        }
        #expect(seen == ["began 0", "cancelled \(debounce)"])
        #expect(player.lastTime == InputTimestamp(microseconds: debounce))
    }

    @Test(
        "A recording of an ignored device gives no frame, and reaches its end",
        arguments: [RecordingPlayer.Speed.maximum, .recorded])
    func leftAloneByRule(speed: RecordingPlayer.Speed) throws {
        var rule = DeviceRule(label: "not this one", match: .init(name: "panel"))
        rule.use = false
        var frames = 0
        let player = try played(temporaryFile(Self.press), speed: speed, rules: [rule]) { _ in frames += 1 }
        #expect(player.info.use == .ignored(reason: "ignored by not this one"))
        #expect(frames == 0)
    }

    @Test("A device ignored for its role is used if a rule says so")
    func usedByRule() throws {
        let path = Expectation.folder + "touchpad-bcm5974-a/bcm5974.three-finger-click.events"
        var rule = DeviceRule(label: "this one", match: .init(name: "bcm*"))
        rule.use = true
        #expect(try played(path) { _ in }.info.use != .used)
        #expect(try played(path, rules: [rule]) { _ in }.info.use == .used)
    }

    @Test("At the recorded speed a frame comes no earlier than its time")
    func recordedSpeed() throws {
        let path = Expectation.folder + Self.tap
        let start = ContinuousClock.now
        var frames = 0
        try played(path + ".tap.events", description: path + ".desc", speed: .recorded) { frame in
            frames += 1
            #expect(ContinuousClock.now - start >= .microseconds(frame.timestamp.microseconds))
        }
        #expect(frames == 3)
    }

    @Test(
        "Paused by the receiver of a frame, or between two, it plays the rest at any speed",
        arguments: [RecordingPlayer.Speed.maximum, .factor(1000), .recorded], [true, false])
    func paused(speed: RecordingPlayer.Speed, byAFrame: Bool) throws {
        let loop = try EpollRunLoop()
        let path = try temporaryFile(Self.press + Self.moves)
        var seen = 0, ends = 0
        var pause: () -> Void = {}
        let player = RecordingPlayer(
            try RecordingReader(path: path), path: path, loop: loop, speed: speed,
            onFrame: { _ in
                seen += 1
                if byAFrame { pause() }
            },
            onEnd: { _ in
                ends += 1
                loop.stop()
            })
        let reader = RunLoopTimer(name: "reader") { _ in player.isPaused = false }
        loop.add(reader)
        pause = {
            player.isPaused = true
            reader.reschedule(after: .milliseconds(byAFrame ? 1 : 20))
        }
        player.start()
        if !byAFrame { pause() }
        let result = loop.run(until: .after(.seconds(600)))
        pause = {}
        #expect(result == .stopped)
        #expect(ends == 1)
        // The press, each of the moves, and the end of the finger.
        #expect(seen == 5)
    }

    @Test("A filter's delay, a missing lift and the receiver's timer end at their time, not with the next event")
    func deadlinesBetweenEvents() throws {
        var rule = DeviceRule(label: "noisy", match: .init())
        rule.filter = ContactFilter(debounce: 50_000)
        rule.liftDelay = 200_000
        let path = try temporaryFile(Self.press + "E: 3.0 0003 0035 11\nE: 3.0 0000 0000 0\n")
        for (speed, factor) in [(RecordingPlayer.Speed.recorded, 1.0), (.factor(20), 20)] {
            var seen: [String] = []
            var alarm: InputTimestamp? = InputTimestamp(microseconds: 120_000)
            let player = RecordingPlayer(
                try RecordingReader(path: path), path: path, loop: try EpollRunLoop(), speed: speed, rules: [rule],
                onFrame: { frame in seen += frame.contacts.map { "\($0.phase) \(frame.timestamp.microseconds)" } },
                onEnd: { _ in seen.append("end") })
            player.timers = (
                { alarm },
                {
                    alarm = nil
                    seen.append("timer")
                }
            )
            /// What a clock shows that stops one microsecond before each deadline, and at it.
            var steps: [String] = []
            var next = player.playDue(at: .zero)
            while let due = next {
                #expect(player.playDue(at: due - .microseconds(1)) == due)
                #expect(seen == [])
                next = player.playDue(at: due)
                steps.append("\(Int((due * factor / .milliseconds(1)).rounded())) ms: \(seen.joined(separator: ", "))")
                seen = []
            }
            #expect(
                steps == [
                    "50 ms: began 0", "120 ms: timer", "200 ms: ended 200000", "3000 ms: ", "3050 ms: began 3000000",
                    "3200 ms: ended 3200000, end",
                ])
        }
    }
}
