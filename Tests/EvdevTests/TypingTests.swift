import CLinux
import Testing

@testable import Evdev

/// A foreign keyboard, also one disguised as another device, cannot type anything.
@Suite("Unrequested keyboards") struct TypingTests {
    private static let letters =
        [KEY_Q...KEY_P, KEY_A...KEY_L, KEY_Z...KEY_M].flatMap { Array($0) }

    /// The keys in the frames when each key of a device is pressed and released.
    private func told(of description: DeviceDescription, _ role: DeviceRole) -> Set<Int32> {
        let info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "", description: description, role: role, use: .used,
            settings: DeviceSettings())
        var told: Set<Int32> = []
        let pipeline = FramePipeline(info) { frame in told.formUnion(frame.keys.map { Int32($0.code) }) }
        for key in description[UInt16(EV_KEY)].codes {
            for value in [Int32(1), 0] {
                let time = InputTimestamp(microseconds: 1)
                pipeline.feed(InputEvent(type: UInt16(EV_KEY), code: key, value: value, time: time))
                pipeline.feed(InputEvent(type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 0, time: time))
            }
        }
        return told
    }

    @Test("one letter makes a device a keyboard, which is read only if a rule says so", arguments: letters)
    func letter(key: Int32) {
        let keyboard = DeviceRole(.madeUp(keys: [key, KEY_ENTER]))
        #expect(keyboard.kind == .keyboard)
        #expect(keyboard.reasonIgnored == "a keyboard; a device rule with 'use: true' would use it")
        // By udev's rules it is not a keyboard: it lacks one of the keys from Escape to S.
        #expect(
            DeviceRole(.madeUp(keys: [key]), udevProperties: ["ID_INPUT": "1", "ID_INPUT_KEY": "1"]).kind == .keyboard)
    }

    @Test("a keyboard without one of udev's keys is one all the same", arguments: Array(KEY_ESC..<32))
    func almostAll(missing: Int32) {
        #expect(DeviceRole(.madeUp(keys: (KEY_ESC...KEY_SPACE).filter { $0 != missing })).kind == .keyboard)
    }

    @Test("a keypad and a remote control, which have no letters, are read")
    func keypad() {
        let keypad = DeviceDescription.madeUp(keys: Array(KEY_1...KEY_0) + [KEY_ENTER, KEY_KP0, KEY_VOLUMEUP])
        #expect(DeviceRole(keypad).kind == .keys)
        #expect(told(of: keypad, DeviceRole(keypad)).contains(KEY_ENTER))
    }

    @Test("a touchscreen or mouse with letter keys delivers touches and buttons, no keys")
    func disguises() {
        let panel = DeviceDescription.madeUp(
            keys: [BTN_TOUCH, KEY_E, KEY_ENTER],
            axes: [ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID], isDirect: true)
        let mouse = DeviceDescription.madeUp(keys: [BTN_LEFT, KEY_R, KEY_ENTER], motion: [REL_X, REL_Y])
        #expect(DeviceRole(panel).kind == .touchscreen && DeviceRole(panel).reasonIgnored == nil)
        #expect(told(of: panel, DeviceRole(panel)).isDisjoint(with: [KEY_E, KEY_ENTER]))
        #expect(DeviceRole(mouse).kind == .mouse && DeviceRole(mouse).reasonIgnored == nil)
        #expect(told(of: mouse, DeviceRole(mouse)) == [BTN_LEFT])
    }

    @Test("a keyboard that a rule requests is read")
    func wanted() {
        let keyboard = DeviceDescription.madeUp(keys: Self.letters)
        #expect(told(of: keyboard, DeviceRole(keyboard, isWanted: true)) == Set(Self.letters))
    }
}
