import Foundation
import Testing

@testable import Handlers

/// `ignore`: a break for cleaning the screen.
@Suite struct IgnoringTouches {
    private func kiosk() throws -> Kiosk {
        let kiosk = try Kiosk()
        try kiosk.show(
            """
            screen: {size: [100, 100]}
            on: {began: log, moved: log, ended: log, cancelled: log}
            views: [{id: clean, frame: [0, 0, 10, 10], on: {ended: {ignore: 30}}}]
            """)
        return kiosk
    }

    @Test("touches are dropped for the given seconds, and both ends are logged")
    func seconds() throws {
        let kiosk = try kiosk()
        kiosk.tap(5, 5)
        kiosk.tap(50, 50)
        #expect(kiosk.log.lines == ["notice: touch 1 began on clean", "notice: touches are ignored for 30.0 s"])

        kiosk.log.clear()
        kiosk.pass(30)
        kiosk.tap(50, 50)
        #expect(
            kiosk.log.lines == [
                "notice: touches are delivered again", "notice: touch 2 began on no view",
                "notice: touch 2 ended on no view",
            ])
    }

    @Test("a finger that is down is cancelled; one that comes down is ignored until lifted")
    func fingersDown() throws {
        let kiosk = try kiosk()
        let before = kiosk.down(50, 50)
        kiosk.runner.touchBreak.begin(for: 10)
        kiosk.move(before, 60, 50)
        let meanwhile = kiosk.down(20, 20)
        kiosk.pass(10)
        kiosk.move(meanwhile, 30, 20)
        kiosk.lift(before, 60, 50)
        kiosk.lift(meanwhile, 30, 20)
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
        kiosk.pass(6)
        #expect(kiosk.application.isIgnoringInteractionEvents)
        pause.begin(for: 30)
        kiosk.pass(16)
        #expect(kiosk.application.isIgnoringInteractionEvents)
        #expect(pause.remaining == 14)
        kiosk.pass(14)
        #expect(!kiosk.application.isIgnoringInteractionEvents)
        #expect(pause.remaining == nil)

        pause.begin(for: 20)
        pause.finish()
        #expect(!kiosk.application.isIgnoringInteractionEvents)
        kiosk.pass(30)
        #expect(kiosk.log.lines.filter { $0 == "notice: touches are delivered again" }.count == 2)
    }
}
