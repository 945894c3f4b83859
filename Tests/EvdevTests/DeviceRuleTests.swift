import CLinux
@testable import Evdev
import Testing

@Suite("Device rules")
struct DeviceRuleTests {
    private static let panel = DeviceDescription(
        name: "eGalax Inc. Touch", bus: 3, vendor: 0x0eef, product: 0x0001, physicalPath: "usb-0000:00:14.0-2/input0")

    @Test(
        "A rule is for a device that fulfills all its conditions",
        arguments: [
            (DeviceRule.Match(), true),
            (.init(name: "eGalax*"), true),
            (.init(name: "egalax*"), false),
            (.init(name: "eGalax Inc. Touch", vendor: 0x0eef, product: 1), true),
            (.init(name: "eGalax*", product: 2), false),
            (.init(path: "/dev/input/event?"), true),
            (.init(path: "/dev/input/by-id/usb-eGalax*"), true),
            (.init(physicalPath: "usb-*-2/input0"), true),
            (.init(physicalPath: "pci-0000:00:14.0-usb-0:2:1.0"), true),
            (.init(properties: ["ID_SEAT": "seat[01]"]), true),
            (.init(properties: ["ID_SEAT": "seat1", "ID_SERIAL": "*"]), false),
        ])
    func matching(_ match: DeviceRule.Match, _ expected: Bool) {
        let properties = [
            "DEVLINKS": "/dev/input/by-id/usb-eGalax_1 /dev/input/by-path/x", "ID_SEAT": "seat1",
            "ID_PATH": "pci-0000:00:14.0-usb-0:2:1.0",
        ]
        #expect(match.matches(Self.panel, path: "/dev/input/event7", properties: properties) == expected)
    }

    @Test("Later rules override earlier ones per setting, and rules override udev")
    func laterWins() {
        var first = DeviceRule(label: "first", match: .init())
        first.grabs = true
        first.rotation = .half
        var second = DeviceRule(label: "second", match: .init(vendor: 0x0eef))
        second.rotation = .quarter
        second.use = true
        let settings = DeviceSettings(
            rules: [first, second, DeviceRule(label: "other", match: .init(name: "x"))], description: Self.panel,
            path: "/dev/input/event7", properties: ["LIBINPUT_IGNORE_DEVICE": "1"])
        #expect(settings.rules == ["udev's LIBINPUT_IGNORE_DEVICE", "first", "second"])
        #expect(settings.grabs)
        #expect(settings.use == true)
        #expect(settings.calibration == Rotation.quarter.matrix)
    }

    @Test("LIBINPUT_CALIBRATION_MATRIX applies unless a rule calibrates; rotation follows")
    func calibration() {
        var rotated = DeviceRule(label: "rotated", match: .init())
        rotated.rotation = .half
        let properties = ["LIBINPUT_CALIBRATION_MATRIX": "0.5 0 0.25 0 1 0"]
        let settings = DeviceSettings(
            rules: [rotated], description: Self.panel, path: "", properties: properties)
        // The left edge is a quarter into the screen, and then the right one.
        #expect(settings.calibration.apply(to: SurfacePoint(x: 0, y: 0)) == SurfacePoint(x: 0.75, y: 1))
        for mistake in ["1 0 0 0 1", "1 0 0 0 1 x", "", "1 0 0 0 1 nan", "1e308 1e308 -1e308 0 1 0"] {
            #expect(CalibrationMatrix(udevProperty: mistake) == nil)
        }
    }

    @Test(
        "A surface rotated clockwise maps its top left corner correctly",
        arguments: zip(
            Rotation.allCases,
            [SurfacePoint(x: 0, y: 0), SurfacePoint(x: 1, y: 0), SurfacePoint(x: 1, y: 1), SurfacePoint(x: 0, y: 1)]))
    func rotation(_ rotation: Rotation, _ corner: SurfacePoint) {
        #expect(rotation.matrix.apply(to: SurfacePoint(x: 0, y: 0)) == corner)
    }

    @Test("A panel that claims to be a pen and uses ABS_Z is read if a rule allows it")
    func unusualAxes() throws {
        let name = "egalax-abs-z-rx/eGalax Inc. USB TouchController"
        var reader = try RecordingReader(
            path: Expectation.folder + name + ".events", description: Expectation.folder + name + ".desc")
        var rule = DeviceRule(label: "old eGalax", match: .init(name: "eGalax*"))
        rule.use = true
        rule.positionAxes = PositionAxes(x: UInt16(ABS_Z), y: UInt16(ABS_RX))
        let settings = DeviceSettings(rules: [rule], description: reader.description, path: "", properties: [:])
        let role = DeviceRole(reader.description, isWanted: settings.use == true)
        #expect(role == DeviceRole(kind: .touchscreen, touchProtocol: .single))
        let id = DeviceID(rawValue: 1)
        var decoder = Decoder(device: id, description: reader.description, role: role, settings: settings)
        var frame = InputFrame(device: id, timestamp: InputTimestamp(microseconds: 0))
        var places: Set<Int32> = []
        while let event = try reader.next() {
            decoder.feed(event)
            while decoder.nextFrame(into: &frame) { places.formUnion(frame.contacts.map(\.raw.x)) }
        }
        #expect(places.count > 50)
    }

    @Test(
        "A device is used only if the position axes have a range: the rule's, not those that they replace",
        arguments: [
            (Int32(4095), DeviceInfo.Use.used),
            (0, .ignored(reason: "its ABS_Z has an empty range (0 to 0), so positions are unknown")),
        ])
    func emptyRange(maximum: Int32, use: DeviceInfo.Use) {
        var panel = DeviceDescription.madeUp(
            keys: [BTN_TOUCH], axes: [ABS_X, ABS_Y], range: AxisInfo(minimum: 0, maximum: 0), isDirect: true)
        for axis in [ABS_Z, ABS_RX] { panel.insertAxis(UInt16(axis), AxisInfo(minimum: 0, maximum: maximum)) }
        var rule = DeviceRule(label: "unusual axes", match: .init())
        rule.use = true
        rule.positionAxes = PositionAxes(x: UInt16(ABS_Z), y: UInt16(ABS_RX))

        let info = DeviceInfo(id: DeviceID(rawValue: 1), path: "", panel, rules: [rule], udevProperties: [:])

        #expect(info.role.touchProtocol == .single && info.use == use)
    }

    @Test("A device that stays keeps its identity when an identical one goes")
    func identicalDevices() {
        let description = DeviceDescription(name: "twin", bus: 3, vendor: 1, product: 2)
        let (left, right) = (Udev.device(at: "/dev/input/event901"), Udev.device(at: "/dev/input/event902"))
        var registry = DeviceRegistry(rules: [])
        let identities = [left, right].map { registry.identify($0, description) }
        #expect(identities[0] != identities[1])
        registry.releaseAll(except: [right])
        #expect(registry.identify(right, description) == identities[1])
        #expect(registry.identify(left, description) == identities[0])
    }

    @Test("The rule that excludes a device is named, not the last one that matches")
    func ignoredBy() {
        var (first, second) = (DeviceRule(label: "a:1", match: .init()), DeviceRule(label: "a:2", match: .init()))
        first.use = false
        second.rotation = .half
        let settings = DeviceSettings(
            rules: [first, second], description: DeviceDescription(name: "any"), path: "", properties: [:])
        #expect(settings.reasonIgnored == "ignored by a:1")
    }
}
