import Evdev
import Layout
import Testing

/// `devices:`, the rules for input devices.
@Suite struct DeviceRules {
    private func layout(_ devices: String) throws -> LayoutDocument {
        let text = "screen: {size: [10, 10]}\ndevices:\n\(devices)\n"
        return try LayoutDocument(text: text, file: "kiosk.yaml", handlers: [String]())
    }

    @Test("a rule applies to matching devices and changes only the keys it has")
    func completeRule() throws {
        let rules = try layout(
            """
              - match: {name: "ELAN*", port: usb-*-2/input0, usb: "04f3:2234", udev: {ID_SEAT: seat1}}
                grab: true
                rotate: 90
                calibration: [1, 0, 0, 0, 1, 0.5]
                pressure: 0.25
                palms: cancel-all
                touch-with-pen: true
                filter: {debounce: 20 ms, jitter: 1, edge: 2.5, contacts: 2}
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
        expected.palms = .cancelAll
        expected.allowsTouchWithPen = true
        // The screen is 10 points wide.
        expected.filter = ContactFilter(debounce: 20_000, jitter: 0.1, edge: 0.25, greatestCount: 2)
        #expect(rules == [expected])
    }

    @Test("a rule maps a device to a screen or a part of it, in that screen's points")
    func mapping() throws {
        let text = """
            screens: {left: {size: [10, 10]}, right: {size: [200, 100]}}
            devices:
              - {match: {name: a}, screen: right, region: [100, 0, 50, 100], filter: {jitter: 2}}
              - {match: {name: b}, region: [0, 5, 10, 5]}
            """
        let rules = try LayoutDocument(text: text, file: "kiosk.yaml", handlers: [String]()).devices

        #expect(rules.map(\.target) == ["right", nil])
        #expect(
            rules.map(\.region) == [
                SurfaceRegion(x: 0.5, y: 0, width: 0.25, height: 1), SurfaceRegion(x: 0, y: 0.5, width: 1, height: 0.5),
            ])
        // In points of the device's screen.
        #expect(rules[0].filter?.jitter == 0.01)
    }

    @Test("a rule sets a mouse's acceleration and the lift timeout of a panel")
    func accelerationAndLift() throws {
        let rules = try layout(
            """
              - {match: {name: a}, acceleration: adaptive}
              - {match: {name: b}, speed: -0.5}
              - {match: {name: c}, acceleration: adaptive, speed: 1, lift-after: 80 ms}
            """
        ).devices

        #expect(
            rules.map(\.acceleration) == [
                PointerAcceleration(profile: .adaptive), PointerAcceleration(speed: -0.5),
                PointerAcceleration(profile: .adaptive, speed: 1),
            ])
        #expect(rules.map(\.liftDelay) == [nil, nil, 80_000])
    }

    @Test(
        "an expected device has a grace time and an optional silence time",
        arguments: [
            ("expected: true", Duration.seconds(10), nil), ("expected: false", nil, nil),
            ("expected: 30", .seconds(30), nil), ("expected: 2 min", .seconds(120), nil),
            ("silent-after: 90", nil, .seconds(90)), ("silent-after: \"10 min\"", nil, .seconds(600)),
            ("silent-after: 1.5h", nil, .seconds(5400)), ("silent-after: 250 ms", nil, .milliseconds(250)),
            ("silent-after: 2 d", nil, .seconds(172_800)),
        ] as [(String, Duration?, Duration?)])
    func expectation(_ key: String, _ absence: Duration?, _ silence: Duration?) throws {
        let rule = try #require(try layout("  - {match: {name: a}, \(key)}").devices.first)

        #expect(rule.absence == absence)
        #expect(rule.silence == silence)
    }

    @Test("a rule has steps for absent, silent and returned; useless steps are warned of")
    func handlers() throws {
        let layout = try LayoutDocument(
            text: """
                screen: {size: [10, 10]}
                devices:
                  - match: {name: a}
                    expected: true
                    on: {absent: [alarm, log], silent: log, back: calm}
                handlers: {alarm: {log: gone}, calm: {log: here}}
                """, file: "kiosk.yaml", handlers: ["log"])

        #expect(layout.deviceHandlers.map(\.rule) == layout.devices.map(\.label))
        #expect(
            layout.deviceHandlers.flatMap(\.on).map { "\($0.trigger) \($0.step.name)" } == [
                "absent alarm", "absent log", "silent log", "back calm",
            ])
        #expect(
            layout.warnings.map(\.description) == [
                "kiosk.yaml:5:9: warning: 'silent' never happens without silent-after: TIME in the rule"
            ])
    }

    @Test("ignore: true ignores a device, use: true uses one that would be ignored")
    func ignoreAndUse() throws {
        let rules = try layout("  - {match: {name: a}, ignore: true}\n  - {match: {name: b}, use: true}").devices
        #expect(rules.map(\.use) == [false, true])
    }

    @Test(
        "an invalid rule is rejected at its position",
        arguments: [
            ("- {rotate: 90}", "3:5: error: the device rule has no 'match'"),
            ("- {match: {}, rotate: 90}", "3:13: error: 'match' is empty"),
            ("- {match: {name: a}, rotate: 45}", "3:32: error: 'rotate' must be 0, 90, 180 or 270, clockwise"),
            ("- {match: {usb: elan}}", "3:19: error: 'usb' must be VENDOR:PRODUCT in hexadecimal"),
            ("- {match: {name: a}, calibration: [1, 0]}", "3:37: error: 'calibration' must be 6 numbers"),
            ("- {match: {udev: {}}, ignore: true}", "3:20: error: 'udev' is empty; add a property"),
            ("- {match: {name: a}, calibration: [0, 0, 0, 0, 0, 0]}", "3:37: error: 'calibration' puts every touch"),
            (
                "- {match: {name: a}, region: [5, 0, 6, 10]}",
                "3:32: error: 'region' must have a size and be on the screen, which is 10 × 10 points"
            ),
            ("- {match: {name: a}, region: [0, 0, 0, 10]}", "3:32: error: 'region' must have a size"),
            ("- {match: {name: a}, screen: left}", "3:32: error: no screen is named 'left'"),
            ("- {match: {name: a}, acceleration: fast}", "3:38: error: 'acceleration' must be flat or adaptive"),
            ("- {match: {name: a}, speed: 2}", "3:31: error: 'speed' must be between -1"),
            (
                "- {match: {name: a}, lift-after: 0}",
                "3:36: error: 'lift-after' must be between 10 ms and 5 s (got '0')"
            ),
            ("- {match: {name: a}, silent-after: soon}", "3:38: error: 'silent-after' must be a time such as 90"),
            ("- {match: {name: a}, silent-after: 5 weeks}", "3:38: error: 'silent-after' must be a time such as"),
            ("- {match: {name: a}, expected: maybe}", "3:34: error: 'expected' must be a time such as"),
            (
                "- {match: {name: a}, expected: true, on: {absent: nobody}}",
                "3:53: error: no handler is named 'nobody'"
            ),
            ("- {match: {name: a}, ignore: true, use: true}", "3:5: error: 'ignore' and 'use' contradict each other"),
        ])
    func mistakes(rule: String, finding: String) throws {
        let error = try #require(throws: LayoutError.self) { try layout("  \(rule)") }
        #expect(error.diagnostics.count == 1)
        #expect(error.description.hasPrefix("kiosk.yaml:\(finding)"))
    }
}
