import Evdev
import EventLoop
import Testing

@Suite("Playing a recording on a run loop")
struct RecordingPlayerTests {
    static let drag = "atmel-maxtouch/Atmel maXTouch Touchscreen.1-finger-drag-up-down.events"
    static let tap = "egalax-pcap/eGalax_eMPIA Technology Inc. PCAP MultiTouch Controller.tap.events"
    static let tapDescription = "egalax-pcap/eGalax_eMPIA Technology Inc. PCAP MultiTouch Controller.desc"

    @Test("At the maximum speed every frame comes, then the end, and others have their turn between")
    func maximumSpeed() throws {
        let loop = try EpollRunLoop()
        let reader = try RecordingReader(path: Expectation.folder + Self.drag)
        var phases: [Contact.Phase] = []
        var passes = 0
        var turnsOfOther = 0
        let other = SignalledSource(name: "other") { turnsOfOther += 1 }
        loop.add(other)
        let player = RecordingPlayer(
            reader, path: Self.drag, loop: loop, speed: .maximum,
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
}
