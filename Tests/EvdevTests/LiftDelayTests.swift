import CLinux
import Evdev
import Testing

/// Panels that send positions but never report touch or lift: ABS_X and ABS_Y alone.
@Suite("A panel that never reports a touch")
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

    @Test("A panel that reports touches is not lifted by the rule")
    func panelWithTouchKey() {
        let panel = KeptPanel(.single, liftDelay: 50)
        panel.report([(ABS_X, 10), (ABS_Y, 20), (BTN_TOUCH, 1)], after: 0)
        expire(panel, at: 1000)
        #expect(panel.told == ["0 began 1 at 10,20"])
        #expect(panel.pipeline?.deadline == nil)
    }
}
