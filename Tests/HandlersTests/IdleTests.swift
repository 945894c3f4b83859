import Testing
import TouchKitTesting

@testable import Handlers

/// `idle:` on the clock of the frames.
@Suite struct IdleTimes {
    private static let layout = """
        screen: {size: [100, 100]}
        on: {began: log, ended: log}
        idle:
          - {after: 60, on: {idle: {log: attract}, woken: {log: welcome}}}
          - {after: 600, on: {idle: {log: screen off}, woken: {log: screen on}}}
        """

    private func kiosk(_ layout: String = layout) throws -> Kiosk {
        let kiosk = try Kiosk()
        try kiosk.show(layout)
        return kiosk
    }

    @Test("idle runs once after its time; woken runs before the next touch is delivered")
    func idleAndWoken() throws {
        let kiosk = try kiosk()
        kiosk.taps(at: 5, 5)
        kiosk.log.clear()
        kiosk.advanceTime(by: 59)
        #expect(kiosk.log.lines == [])
        kiosk.advanceTime(by: 1)
        kiosk.advanceTime(by: 100)
        #expect(kiosk.log.lines == ["notice: attract"])
        kiosk.taps(at: 5, 5)
        #expect(
            kiosk.log.lines == [
                "notice: attract", "notice: welcome", "notice: touch 2 began on no view",
                "notice: touch 2 ended on no view",
            ])
        kiosk.advanceTime(by: 60)
        #expect(kiosk.log.lines.last == "notice: attract")
    }

    @Test("each touch restarts the time")
    func touched() throws {
        let kiosk = try kiosk()
        for _ in 0..<10 {
            kiosk.taps(at: 5, 5)
            kiosk.advanceTime(by: 59)
        }
        #expect(!kiosk.log.lines.contains("notice: attract"))
    }

    @Test("idle steps run at their own time, even if a recording advances the clock")
    func moment() throws {
        let kiosk = try kiosk(
            """
            screen: {size: [100, 100]}
            idle: [{after: 60, run: {log: "idle at {time}"}}, {after: 70, run: {ignore: 20}}]
            """)
        kiosk.taps(at: 5, 5)
        kiosk.advanceTime(by: 85)
        #expect(kiosk.log.lines == ["notice: idle at 61.020000", "notice: touches are ignored for 20.0 s"])
        #expect(kiosk.runner.touchBreak.remaining.map { ($0 * 1000).rounded() } == 5000)
    }

    @Test("a longer time fires after a shorter one, and both wake")
    func twoTimes() throws {
        let kiosk = try kiosk()
        kiosk.taps(at: 5, 5)
        kiosk.log.clear()
        kiosk.advanceTime(by: 599)
        #expect(kiosk.log.lines == ["notice: attract"])
        kiosk.advanceTime(by: 1)
        kiosk.finger(at: 5, 5)
        #expect(
            kiosk.log.lines == [
                "notice: attract", "notice: screen off", "notice: welcome", "notice: screen on",
                "notice: touch 2 began on no view",
            ])
    }

    @Test("a resting finger does not prevent idle; it wakes the screen when it moves")
    func restingFinger() throws {
        let kiosk = try kiosk()
        let finger = kiosk.finger(at: 5, 5)
        kiosk.log.clear()
        kiosk.advanceTime(by: 60)
        finger.lifts(at: 5, 5)
        #expect(kiosk.log.lines == ["notice: attract", "notice: welcome", "notice: touch 1 ended on no view"])
    }

    @Test("when woken switches the page, the touch does not reach the new page")
    func wakingTouchAndPages() throws {
        let kiosk = try kiosk(
            """
            screen: {size: [100, 100]}
            pages:
              start: {views: [{id: buy, frame: [0, 0, 100, 100], on: {began: log, ended: log, cancelled: log}}]}
              attract: {views: [{id: film, frame: [0, 0, 100, 100], on: {began: log, ended: log, cancelled: log}}]}
            idle: [{after: 60, on: {idle: {go: attract}, woken: {go: start}}}]
            """)
        kiosk.taps(at: 5, 5)
        kiosk.advanceTime(by: 60)
        #expect(kiosk.scene?.currentPages == ["attract"])
        kiosk.log.clear()
        kiosk.taps(at: 5, 5)
        #expect(kiosk.scene?.currentPages == ["start"])
        #expect(kiosk.log.lines == [])
        kiosk.taps(at: 5, 5)
        #expect(kiosk.log.lines == ["notice: touch 3 began on buy", "notice: touch 3 ended on buy"])
    }

    @Test("when woken ignores touches, the waking touch is not delivered")
    func ignoredWakingTouch() throws {
        let kiosk = try kiosk(
            """
            screen: {size: [100, 100]}
            on: {began: log, ended: log, cancelled: log}
            idle: [{after: 60, on: {woken: {ignore: 1}}}]
            """)
        kiosk.taps(at: 5, 5)
        kiosk.advanceTime(by: 60)
        kiosk.log.clear()
        kiosk.taps(at: 5, 5)
        #expect(kiosk.log.lines == ["notice: touches are ignored for 1.0 s"])
    }

    @Test("a layout loaded while idle does not become idle again, and the next touch wakes")
    func reload() throws {
        let kiosk = try kiosk()
        kiosk.taps(at: 5, 5)
        kiosk.advanceTime(by: 60)
        kiosk.log.clear()
        try kiosk.show(Self.layout)
        kiosk.advanceTime(by: 100)
        #expect(kiosk.log.lines == [])
        kiosk.finger(at: 5, 5)
        #expect(kiosk.log.lines == ["notice: welcome", "notice: touch 2 began on no view"])
    }

    @Test("without idle in the layout nothing is watched")
    func none() throws {
        let kiosk = try kiosk("screen: {size: [100, 100]}")
        #expect(kiosk.idle == nil && kiosk.application.willDeliver == nil)
    }

    @Test("an idle time with forward: false keeps touches from its end up to the touch that ends it")
    func forwarding() throws {
        let kiosk = try Kiosk()
        try kiosk.show("screen: {size: [10, 10]}\nidle: {after: 60, forward: false, run: log, wake: log}\n")
        var changes: [Bool] = []
        kiosk.idle?.setsForwarding = { changes.append($0) }
        kiosk.taps(at: 5, 5)
        #expect(changes == [] && kiosk.idle?.keepsTouches == false)
        kiosk.advanceTime(by: 61)
        #expect(changes == [false] && kiosk.idle?.keepsTouches == true)
        kiosk.taps(at: 5, 5)
        #expect(changes == [false, true] && kiosk.idle?.keepsTouches == false)
    }
}
