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

    private func said(_ properties: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: (properties + ["ID_INPUT"]).map { ($0, "1") })
    }
}
