import CLinux
import Evdev
import Testing

/// The role of a device whose udev properties from the machine's rules and hwdb contradict its capabilities.
@Suite("Device roles from udev")
struct DeviceRoleTests {
    /// libwacom's hwdb gives the touch panel of a pen display the same properties as the pen (libinput,
    /// `evdev_configure_device`).
    @Test(
        "A panel also tagged as a tablet is a touchscreen; only a tablet is a tablet",
        arguments: [
            (["ID_INPUT_TOUCHSCREEN", "ID_INPUT_TABLET"], DeviceRole.Kind.touchscreen),
            (["ID_INPUT_TOUCHPAD", "ID_INPUT_TABLET"], .touchpad),
            (["ID_INPUT_TABLET"], .tablet),
            (["ID_INPUT_TABLET", "ID_INPUT_TABLET_PAD"], .tablet),
        ])
    func tabletAsWell(properties: [String], kind: DeviceRole.Kind) throws {
        let panel = try RecordingReader.description(
            path: Expectation.folder + "ntrig-protocol-a/N-Trig MultiTouch.desc")

        let role = DeviceRole(panel, udevProperties: said(properties))

        #expect(role.kind == kind)
        #expect(role.touchProtocol == .anonymous)
    }

    /// systemd's hwdb identifies a keyboard with a pointing stick by its USB ids, which all its nodes share.
    @Test("A keyboard with a pointing stick has a keyboard node and a mouse node")
    func pointingStick() throws {
        let folder = Expectation.folder + "trap-thinkpad-usb-trackpoint/"
        let device = "Lenovo ThinkPad Compact USB Keyboard with TrackPoint"
        let keys = try RecordingReader.description(path: folder + device + ".keyboard.events")
        let stick = try RecordingReader.description(path: folder + device + ".trackpoint.events")

        let keyboard = DeviceRole(
            keys, udevProperties: said(["ID_INPUT_POINTINGSTICK", "ID_INPUT_KEY", "ID_INPUT_KEYBOARD"]))
        let mouse = DeviceRole(stick, udevProperties: said(["ID_INPUT_POINTINGSTICK", "ID_INPUT_MOUSE"]))

        #expect(keyboard.kind == .keyboard)
        #expect(mouse.kind == .mouse)
    }

    @Test(
        "The jack of a sound card is used; the switch of a lid is ignored",
        arguments: [
            (SW_HEADPHONE_INSERT, DeviceRole.Kind.headphones), (SW_LID, .other), (SW_LINEOUT_INSERT, .other),
        ])
    func jack(code: Int32, kind: DeviceRole.Kind) {
        var description = DeviceDescription(name: "PCH Front Headphone")
        description[UInt16(EV_SW)].insert(UInt16(code))
        let role = DeviceRole(description, udevProperties: said(["ID_INPUT_SWITCH"]))
        #expect(role.kind == kind && (role.reasonIgnored == nil) == (kind == .headphones))
    }

    @Test(
        "A panel whose class a udev rule has removed is ignored; without udev's properties, or with a rule, it is used",
        arguments: [
            ([:], nil, true), (["ID_INPUT": "1", "ID_INPUT_TOUCHSCREEN": "1"], nil, true),
            (["DEVNAME": "/dev/input/event0", "MAJOR": "13"], nil, true), (["ID_INPUT": "1"], nil, false),
            (["ID_BUS": "usb"], nil, false), (["ID_BUS": "usb"], true, true),
        ] as [([String: String], Bool?, Bool)])
    func withoutClass(_ properties: [String: String], _ use: Bool?, _ isUsed: Bool) {
        let panel = DeviceDescription.madeUp(
            keys: [BTN_TOUCH], axes: [ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID])
        var rule = DeviceRule(label: "the panel", match: .init(name: "*"))
        rule.use = use
        let info = DeviceInfo(
            id: DeviceID(rawValue: 1), path: "made up", panel, rules: [rule], udevProperties: properties)
        #expect((info.use == .used) == isUsed, "\(info.use)")
    }

    private func said(_ properties: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: (properties + ["ID_INPUT"]).map { ($0, "1") })
    }
}
