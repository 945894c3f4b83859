import CLinux
import Evdev
import Testing

/// Panels that do not report lifting, as those that send ABS_X and ABS_Y alone.
@Suite("A panel that does not report lifting")
struct LiftDelayTests {
    private func expire(_ panel: KeptPanel, at milliseconds: Double) {
        panel.pipeline?.expire(at: InputTimestamp(microseconds: Int64(milliseconds * 1000)))
    }

    private let panel = KeptPanel(.single, hasTouchKey: false, liftDelay: 50)

    @Test("Without a rule its positions touch nothing, because no lift can be detected")
    func withoutRule() {
        let panel = KeptPanel(.single, hasTouchKey: false)
        panel.report([(ABS_X, 10), (ABS_Y, 20)], after: 0)
        #expect(panel.told == [])
    }

    @Test("With a lift delay a position begins a touch, and the delay without one ends it")
    func lifted() {
        panel.report([(ABS_X, 10), (ABS_Y, 20)], after: 0)
        panel.report([(ABS_X, 12)], after: 40)
        #expect(panel.pipeline?.deadline == InputTimestamp(microseconds: 90_000))
        expire(panel, at: 89.999)
        #expect(panel.told == ["0 began 1 at 10,20", "40 moved 1 at 12,20"])
        expire(panel, at: 90)
        #expect(panel.told.last == "90 ended 1 at 12,20")
        #expect(panel.pipeline?.deadline == nil)
    }

    @Test("A position after the delay begins another touch, even without an end")
    func liftedLate() {
        panel.report([(ABS_X, 10), (ABS_Y, 20)], after: 0)
        panel.report([(ABS_X, 80), (ABS_Y, 90)], after: 60)
        #expect(panel.told == ["0 began 1 at 10,20", "50 ended 1 at 10,20", "60 began 2 at 80,90"])
    }

    @Test("A touch is cancelled when the device is removed, and not lifted afterwards")
    func cancelled() {
        panel.report([(ABS_X, 10), (ABS_Y, 20)], after: 0)
        panel.unplug()
        expire(panel, at: 1000)
        #expect(panel.told == ["0 began 1 at 10,20", "0 cancelled 1 at 10,20"])
    }

    @Test("A panel that announces BTN_TOUCH and never releases it, or never sends it, is lifted too")
    func panelWithTouchKey() {
        for press in [[(BTN_TOUCH, 1)], []] as [[(code: Int32, value: Int32)]] {
            let panel = KeptPanel(.single, liftDelay: 50)
            panel.report(press + [(ABS_X, 10), (ABS_Y, 20)], after: 0)
            panel.report([(ABS_X, 80)], after: 100)
            expire(panel, at: 1000)
            #expect(
                panel.told == [
                    "0 began 1 at 10,20", "50 ended 1 at 10,20", "100 began 2 at 80,20", "150 ended 2 at 80,20",
                ])
        }
    }

    @Test("On a panel that reports a lift, no position touches until the next press")
    func liftReported() {
        let panel = KeptPanel(.single, liftDelay: 50)
        panel.report([(BTN_TOUCH, 1), (ABS_X, 10), (ABS_Y, 20)], after: 0)
        panel.report([(BTN_TOUCH, 0), (ABS_X, 11)])
        panel.report([(ABS_X, 12)])
        #expect(panel.told == ["0 began 1 at 10,20", "10 ended 1 at 10,20"])
        #expect(panel.pipeline?.deadline == nil)
    }

    @Test("All fingers of a multi-touch panel end after the delay; one that still rests begins again when it moves")
    func multitouch() {
        let panel = KeptPanel(liftDelay: 50)
        _ = panel.began(0, 7, x: 10, y: 20)
        _ = panel.began(1, 8, x: 60, y: 70)
        expire(panel, at: 70)
        #expect(panel.pipeline?.deadline == nil)
        panel.report([(ABS_MT_SLOT, 0), (ABS_MT_POSITION_X, 11)], after: 80)
        panel.ended(0)
        #expect(
            panel.told == [
                "10 began 1 at 10,20", "20 began 2 at 60,70", "70 ended 1 at 10,20", "70 ended 2 at 60,70",
                "100 began 3 at 11,20", "110 ended 3 at 11,20",
            ])
    }

    @Test("The fingers of protocol A end after the delay, if an empty report never comes")
    func anonymous() {
        let panel = KeptPanel(.anonymous, liftDelay: 50)
        panel.report([(ABS_MT_POSITION_X, 10), (ABS_MT_POSITION_Y, 20), (-1, 0)], after: 0)
        panel.report([(ABS_MT_POSITION_X, 80), (ABS_MT_POSITION_Y, 20), (-1, 0)], after: 100)
        #expect(panel.told == ["0 began 1 at 10,20", "50 ended 1 at 10,20", "100 began 2 at 80,20"])
    }
}
