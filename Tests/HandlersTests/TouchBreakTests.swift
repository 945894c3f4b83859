import Foundation
import Testing
import TouchKitTesting

@testable import Handlers

/// `ignore`: a break for cleaning the screen.
@Suite struct IgnoringTouches {
    private func kiosk() throws -> HandlerKiosk {
        try HandlerKiosk(
            """
            on: {began: log, moved: log, ended: log, cancelled: log}
            views: [{id: clean, frame: [0, 0, 10, 10], on: {ended: {ignore: 30}}}]
            """)
    }

    @Test("touches are dropped for the given seconds, and both ends are logged")
    func seconds() throws {
        let kiosk = try kiosk()
        kiosk.taps(at: 5, 5)
        kiosk.taps(at: 50, 50)
        #expect(kiosk.log.lines == ["notice: touch 1 began on clean", "notice: touches are ignored for 30.0 s"])

        kiosk.log.clear()
        kiosk.advanceTime(by: 30)
        kiosk.taps(at: 50, 50)
        #expect(
            kiosk.log.lines == [
                "notice: touches are delivered again", "notice: touch 2 began on no view",
                "notice: touch 2 ended on no view",
            ])
    }

    @Test("a finger that is down is cancelled; one that comes down is ignored until lifted")
    func fingersDown() throws {
        let kiosk = try kiosk()
        let before = kiosk.finger(at: 50, 50)
        kiosk.runner.touchBreak.begin(for: 10)
        before.moves(to: 60, 50)
        let meanwhile = kiosk.finger(at: 20, 20)
        kiosk.advanceTime(by: 10)
        meanwhile.moves(to: 30, 20)
        before.lifts(at: 60, 50)
        meanwhile.lifts(at: 30, 20)
        #expect(
            kiosk.log.lines == [
                "notice: touch 1 began on no view", "notice: touches are ignored for 10.0 s",
                "notice: touch 1 cancelled on no view", "notice: touches are delivered again",
            ])
    }

    @Test("of overlapping breaks the longest counts, and one end is enough")
    func overlap() throws {
        let kiosk = try kiosk()
        let pause = kiosk.runner.touchBreak
        pause.begin(for: 20)
        pause.begin(for: 5)
        kiosk.advanceTime(by: 6)
        #expect(kiosk.application.isIgnoringInteractionEvents)
        pause.begin(for: 30)
        kiosk.advanceTime(by: 16)
        #expect(kiosk.application.isIgnoringInteractionEvents)
        #expect(pause.remaining == 14)
        kiosk.advanceTime(by: 14)
        #expect(!kiosk.application.isIgnoringInteractionEvents)
        #expect(pause.remaining == nil)

        pause.begin(for: 20)
        pause.finish()
        #expect(!kiosk.application.isIgnoringInteractionEvents)
        kiosk.advanceTime(by: 30)
        #expect(kiosk.log.lines.filter { $0 == "notice: touches are delivered again" }.count == 2)
    }
}
