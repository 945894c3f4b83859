import Recordings
import Evdev
import EventLoop
import Testing

@Suite("Playing a recording on a run loop")
struct RecordingPlayerTests {
    static let drag = "atmel-maxtouch/Atmel maXTouch Touchscreen.1-finger-drag-up-down.events"
    static let tap = "egalax-pcap/eGalax_eMPIA Technology Inc. PCAP MultiTouch Controller.tap.events"
    static let tapDescription = "egalax-pcap/eGalax_eMPIA Technology Inc. PCAP MultiTouch Controller.desc"

    @Test(
        "At maximum speed every frame arrives, and other sources run in between",
        arguments: [RecordingPlayer.Speed.maximum, .factor(1e9)])
    func maximumSpeed(speed: RecordingPlayer.Speed) throws {
        let loop = try EpollRunLoop()
        let reader = try RecordingReader(path: Expectation.folder + Self.drag)
        var phases: [Contact.Phase] = []
        var passes = 0
        var turnsOfOther = 0
        let other = SignalledSource(name: "other") { turnsOfOther += 1 }
        loop.add(other)
        let player = RecordingPlayer(
            reader, path: Self.drag, loop: loop, speed: speed,
            onFrame: { frame in
                phases += frame.contacts.map(\.phase)
                passes += 1
                other.signal()
            },
            onEnd: { error in
                #expect(error == nil)
                loop.stop()
            })
        player.start()
        loop.run()
        #expect(phases.count(where: { $0 == .began }) == phases.count(where: { $0 == .ended }))
        #expect(phases.count > 100)
        #expect(turnsOfOther >= 2)
    }

    @Test("A recording that stops with a finger down cancels it at its end")
    func fingerDownAtTheEnd() throws {
        let loop = try EpollRunLoop()
        let begin = "ntrig-protocol-b-cut.evemu"
        let path = try temporaryFile(
            named: begin,
            """
            N: cut short
            A: 2f 0 9 0 0
            A: 35 0 99 0 0
            A: 36 0 99 0 0
            A: 39 0 65535 0 0
            P: 02
            E: 5.000000 0003 0039 4
            E: 5.000000 0003 0035 10
            E: 5.000000 0003 0036 20
            E: 5.000000 0000 0000 0
            """)
        let reader = try RecordingReader(path: path)
        var seen: [String] = []
        let player = RecordingPlayer(
            reader, path: path, loop: loop, speed: .factor(1000),
            onFrame: { frame in seen += frame.contacts.map { "\($0.phase) \(frame.timestamp.microseconds)" } },
            onEnd: { _ in loop.stop() })
        player.start()
        loop.run()
        #expect(seen == ["began 0", "cancelled 0"])
    }

    /// A finger that comes down and stays.
    private static let press = """
        N: panel
        A: 2f 0 9 0 0
        A: 35 0 99 0 0
        A: 36 0 99 0 0
        A: 39 0 65535 0 0
        P: 02
        E: 0.000000 0003 0039 4
        E: 0.000000 0003 0035 10
        E: 0.000000 0003 0036 20
        E: 0.000000 0000 0000 0

        """

    /// The finger's further positions, one every 2 ms.
    private static let moves = """
        E: 0.002000 0003 0035 11
        E: 0.002000 0000 0000 0
        E: 0.004000 0003 0035 12
        E: 0.004000 0000 0000 0
        E: 0.006000 0003 0035 13
        E: 0.006000 0000 0000 0

        """

    /// A touchpad, identified by its buttons, with a tap.
    private static let touchpad = """
        N: pad
        P: 01
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 01 00 00 00 00 00
        B: 01 20 04 00 00 00 00 00 00
        A: 00 0 99 0 0
        A: 01 0 99 0 0
        A: 2f 0 9 0 0
        A: 35 0 99 0 0
        A: 36 0 99 0 0
        A: 39 0 65535 0 0
        E: 0.000000 0003 0039 4
        E: 0.000000 0003 0035 10
        E: 0.000000 0003 0036 20
        E: 0.000000 0000 0000 0

        """

    @Test(
        "A recording of an ignored device gives no frame, and reaches its end",
        arguments: [RecordingPlayer.Speed.maximum, .recorded])
    func leftAloneByRule(speed: RecordingPlayer.Speed) throws {
        let loop = try EpollRunLoop()
        let path = try temporaryFile(named: "left-alone-\(speed).evemu", Self.press)
        var rule = DeviceRule(label: "not this one", match: .init(name: "panel"))
        rule.use = false
        var frames = 0
        var ends = 0
        let player = RecordingPlayer(
            try RecordingReader(path: path), path: path, loop: loop, speed: speed, rules: [rule],
            onFrame: { _ in frames += 1 },
            onEnd: { error in
                #expect(error == nil)
                ends += 1
                loop.stop()
            })
        #expect(player.info.use == .ignored(reason: "ignored by not this one"))
        player.start()
        #expect(ends == 0)
        loop.run()
        #expect(frames == 0)
        #expect(ends == 1)
    }

    @Test("A device ignored for its role is used if a rule says so")
    func usedByRule() throws {
        let loop = try EpollRunLoop()
        let path = try temporaryFile(named: "used-by-rule.evemu", Self.touchpad)
        func use(_ rules: [DeviceRule]) throws -> DeviceInfo.Use {
            RecordingPlayer(
                try RecordingReader(path: path), path: path, loop: loop, rules: rules, onFrame: { _ in },
                onEnd: { _ in }
            ).info.use
        }
        var rule = DeviceRule(label: "this one", match: .init(name: "pad"))
        rule.use = true
        #expect(try use([]) != .used)
        #expect(try use([rule]) == .used)
    }

    @Test(
        "A contact held by the debounce time at the end begins and is cancelled",
        arguments: [RecordingPlayer.Speed.maximum, .recorded])
    func heldAtTheEnd(speed: RecordingPlayer.Speed) throws {
        let loop = try EpollRunLoop()
        let path = try temporaryFile(named: "held-\(speed).evemu", Self.press)
        var rule = DeviceRule(label: "noisy", match: .init())
        rule.filter = ContactFilter(debounce: 20_000)
        let start = ContinuousClock.now
        var isEarly = false
        var seen: [String] = []
        let player = RecordingPlayer(
            try RecordingReader(path: path), path: path, loop: loop, speed: speed, rules: [rule],
            onFrame: { frame in
                isEarly = isEarly || ContinuousClock.now - start < .microseconds(frame.timestamp.microseconds)
                seen += frame.contacts.map { "\($0.phase) \(frame.timestamp.microseconds)" }
            },
            onEnd: { _ in
                seen.append("end")
                loop.stop()
            })
        player.start()
        loop.run()
        #expect(seen == ["began 20000", "cancelled 20000", "end"])
        #expect(player.lastTime == InputTimestamp(microseconds: 20_000))
        if speed == .recorded { #expect(!isEarly) }
    }

    @Test("At the recorded speed a frame comes no earlier than its time")
    func recordedSpeed() throws {
        let loop = try EpollRunLoop()
        let reader = try RecordingReader(
            path: Expectation.folder + Self.tap, description: Expectation.folder + Self.tapDescription)
        let start = ContinuousClock.now
        var isEarly = false
        var frames = 0
        let player = RecordingPlayer(
            reader, path: Self.tap, loop: loop,
            onFrame: { frame in
                frames += 1
                isEarly = isEarly || ContinuousClock.now - start < .microseconds(frame.timestamp.microseconds)
            },
            onEnd: { _ in loop.stop() })
        player.start()
        loop.run()
        #expect(frames == 3)
        #expect(!isEarly)
    }

    @Test(
        "Paused by the receiver of a frame, it plays the rest at any speed",
        arguments: [RecordingPlayer.Speed.maximum, .factor(1000), .recorded])
    func pausedByAFrame(speed: RecordingPlayer.Speed) throws {
        let loop = try EpollRunLoop()
        let path = try temporaryFile(named: "paused-\(speed).evemu", Self.press + Self.moves)
        var seen = 0, ends = 0
        var resume: (() -> Void)?
        let reader = RunLoopTimer(name: "reader") { _ in resume?() }
        loop.add(reader)
        let player = RecordingPlayer(
            try RecordingReader(path: path), path: path, loop: loop, speed: speed,
            onFrame: { _ in
                seen += 1
                resume?()
            },
            onEnd: { _ in
                ends += 1
                loop.stop()
            })
        resume = {
            player.isPaused.toggle()
            if player.isPaused { reader.reschedule(after: .milliseconds(1)) }
        }
        player.start()
        // A stalled loop has nothing left to wait for, or waits for ever.
        let result = loop.run(until: .after(.seconds(600)))
        resume = nil
        #expect(result == .stopped)
        #expect(ends == 1)
        // The press, each of the moves, and the end of the finger.
        #expect(seen == 5)
    }

    @Test("Paused between two frames, it plays the rest after continuing")
    func pausedBetweenFrames() throws {
        let loop = try EpollRunLoop()
        let path = try temporaryFile(named: "paused-between.evemu", Self.press + Self.moves)
        var seen = 0, ends = 0
        let player = RecordingPlayer(
            try RecordingReader(path: path), path: path, loop: loop,
            onFrame: { _ in seen += 1 },
            onEnd: { _ in
                ends += 1
                loop.stop()
            })
        let reader = RunLoopTimer(name: "reader", after: .milliseconds(100)) { _ in player.isPaused = false }
        loop.add(reader)
        player.start()
        player.isPaused = true
        let result = loop.run(until: .after(.seconds(600)))
        #expect(result == .stopped)
        #expect(ends == 1)
        #expect(seen == 5)
    }
}
