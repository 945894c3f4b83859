import CLinux
import Evdev
import Testing

/// Panels that send positions but never report touch or lift.
@Suite("A panel that never reports a touch")
struct LiftDelayTests {
    @Test("Without a rule its positions touch nothing, because no lift can be detected")
    func withoutRule() {
        let panel = Panel(liftDelay: nil)
        panel.report(x: 10, y: 20, at: 0)

        #expect(panel.told == [])
    }

    @Test("With a lift delay a position begins a touch, and the delay without one ends it")
    func lifted() {
        let panel = Panel(liftDelay: 50)
        panel.report(x: 10, y: 20, at: 0)
        panel.report(x: 12, y: 20, at: 40)

        #expect(panel.pipeline.deadline == InputTimestamp(microseconds: 90_000))
        panel.pipeline.expire(at: InputTimestamp(microseconds: 89_999))
        #expect(panel.told == ["0 began 1 at 10,20", "40 moved 1 at 12,20"])
        panel.pipeline.expire(at: InputTimestamp(microseconds: 90_000))
        #expect(panel.told.last == "90 ended 1 at 12,20")
        #expect(panel.pipeline.deadline == nil)
    }

    @Test("A position after the delay begins another touch, even without an end")
    func liftedLate() {
        let panel = Panel(liftDelay: 50)
        panel.report(x: 10, y: 20, at: 0)
        panel.report(x: 80, y: 90, at: 60)

        #expect(panel.told == ["0 began 1 at 10,20", "50 ended 1 at 10,20", "60 began 2 at 80,90"])
    }

    @Test("A touch is cancelled when the device is removed, and not lifted afterwards")
    func cancelled() {
        let panel = Panel(liftDelay: 50)
        panel.report(x: 10, y: 20, at: 0)
        panel.pipeline.cancelAll(at: InputTimestamp(microseconds: 10_000))
        panel.pipeline.expire(at: InputTimestamp(microseconds: 1_000_000))

        #expect(panel.told == ["0 began 1 at 10,20", "10 cancelled 1 at 10,20"])
    }

    @Test("A panel that reports touches is not lifted by the rule")
    func panelWithTouchKey() {
        let panel = Panel(liftDelay: 50, hasTouchKey: true)
        panel.report(x: 10, y: 20, touch: 1, at: 0)
        panel.pipeline.expire(at: InputTimestamp(microseconds: 1_000_000))

        #expect(panel.told == ["0 began 1 at 10,20"])
        #expect(panel.pipeline.deadline == nil)
    }
}

/// A panel with ABS_X and ABS_Y alone, or with BTN_TOUCH, and its results: milliseconds and contacts.
private final class Panel {
    private(set) var told: [String] = []
    private(set) lazy var pipeline = makePipeline()
    private let liftDelay: Int64?
    private let hasTouchKey: Bool

    init(liftDelay: Int64?, hasTouchKey: Bool = false) {
        self.liftDelay = liftDelay
        self.hasTouchKey = hasTouchKey
    }

    private func makePipeline() -> FramePipeline {
        var description = DeviceDescription(name: "bare panel")
        description.properties.insert(UInt16(INPUT_PROP_DIRECT))
        if hasTouchKey { description[UInt16(EV_KEY)].insert(UInt16(BTN_TOUCH)) }
        for code in [ABS_X, ABS_Y] { description.insertAxis(UInt16(code), AxisInfo(minimum: 0, maximum: 99)) }
        var rule = DeviceRule(label: "bare", match: .init())
        rule.liftDelay = liftDelay.map { $0 * 1000 }
        let settings = DeviceSettings(rules: [rule], description: description, path: "", properties: [:])
        let role = DeviceRole(description)
        #expect(role == DeviceRole(kind: .touchscreen, touchProtocol: .single))
        let info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "", description: description, role: role, use: .used, settings: settings)
        return FramePipeline(info) { [unowned self] frame in
            for contact in frame.contacts {
                told.append(
                    "\(frame.timestamp.microseconds / 1000) \(contact.phase) \(contact.id)"
                        + " at \(contact.raw.x),\(contact.raw.y)")
            }
        }
    }

    func report(x: Int32, y: Int32, touch: Int32? = nil, at millisecond: Int64) {
        var events = [(EV_ABS, ABS_X, x), (EV_ABS, ABS_Y, y)]
        if let touch { events.append((EV_KEY, BTN_TOUCH, touch)) }
        for (type, code, value) in events + [(EV_SYN, SYN_REPORT, 0)] {
            pipeline.feed(
                InputEvent(
                    type: UInt16(type), code: UInt16(code), value: value,
                    time: InputTimestamp(microseconds: millisecond * 1000)))
        }
    }
}
