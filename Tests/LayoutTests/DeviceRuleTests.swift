import Evdev
import Layout
import Testing

/// `devices:`, the rules about input devices.
@Suite struct DeviceRules {
    private func layout(_ devices: String) throws -> LayoutDocument {
        let text = "screen: {size: [10, 10]}\ndevices:\n\(devices)\n"
        return try LayoutDocument(text: text, file: "kiosk.yaml", handlers: [String]())
    }

    @Test("a rule says which devices it is for, and changes only what it names")
    func completeRule() throws {
        let rules = try layout(
            """
              - match: {name: "ELAN*", port: usb-*-2/input0, usb: "04f3:2234", udev: {ID_SEAT: seat1}}
                grab: true
                rotate: 90
                calibration: [1, 0, 0, 0, 1, 0.5]
                pressure: 0.25
                filter: {debounce: 20, jitter: 1, edge: 2.5, contacts: 2}
            """
        ).devices

        var expected = DeviceRule(
            label: "kiosk.yaml:3:5",
            match: .init(
                name: "ELAN*", physicalPath: "usb-*-2/input0", vendor: 0x04f3, product: 0x2234,
                properties: ["ID_SEAT": "seat1"]))
        expected.grabs = true
        expected.rotation = .quarter
        expected.calibration = CalibrationMatrix(1, 0, 0, 0, 1, 0.5)
        expected.pressureThreshold = 0.25
        // The screen is 10 points wide.
        expected.filter = ContactFilter(debounce: 20_000, jitter: 0.1, edge: 0.25, greatestCount: 2)
        #expect(rules == [expected])
    }

    @Test("ignore: true leaves a device alone, use: true takes one that would be left alone")
    func ignoreAndUse() throws {
        let rules = try layout("  - {match: {name: a}, ignore: true}\n  - {match: {name: b}, use: true}").devices
        #expect(rules.map(\.use) == [false, true])
    }

    @Test(
        "a rule that cannot be meant is refused where it is wrong",
        arguments: [
            ("- {rotate: 90}", "3:5: error: the device rule has no 'match'"),
            ("- {match: {}, rotate: 90}", "3:13: error: 'match' is empty"),
            ("- {match: {name: a}, rotate: 45}", "3:32: error: 'rotate' has to be 0, 90, 180 or 270, clockwise"),
            ("- {match: {usb: elan}}", "3:19: error: 'usb' has to be VENDOR:PRODUCT in hexadecimal"),
            ("- {match: {name: a}, calibration: [1, 0]}", "3:37: error: 'calibration' has to be 6 numbers"),
            ("- {match: {name: a}, ignore: true, use: true}", "3:5: error: 'ignore' and 'use' contradict each other"),
        ])
    func mistakes(rule: String, finding: String) throws {
        let error = try #require(throws: LayoutError.self) { try layout("  \(rule)") }
        #expect(error.diagnostics.count == 1)
        #expect(error.description.hasPrefix("kiosk.yaml:\(finding)"))
    }
}
