import Evdev
import Layout
import Testing

/// `devices:`, the rules for input devices.
@Suite struct DeviceWordsTests {
    private func layout(_ devices: String) throws -> LayoutDocument {
        let text = "screen: {size: [10, 10]}\ndevices:\n\(devices)\n"
        return try LayoutDocument(text: text, file: "kiosk.yaml", handlers: [String]())
    }

    @Test("a rule names its devices by name, port, USB number and udev's properties")
    func match() throws {
        let match = "{name: \"ELAN*\", port: usb-*-2/input0, usb: \"04f3:2234\", udev: {ID_SEAT: seat1}}"
        #expect(
            try layout("  - match: \(match)").devices == [
                DeviceRule(
                    label: "kiosk.yaml:3:5",
                    match: .init(
                        name: "ELAN*", physicalPath: "usb-*-2/input0", vendor: 0x04f3, product: 0x2234,
                        properties: ["ID_SEAT": "seat1"]))
            ])
    }

    private nonisolated static let settings: [(String, @Sendable (inout DeviceRule) -> Void)] = [
        ("grab: true", { $0.grabs = true }), ("rotate: 90", { $0.rotation = .quarter }),
        ("calibration: [1, 0, 0, 0, 1, 0.5]", { $0.calibration = CalibrationMatrix(1, 0, 0, 0, 1, 0.5) }),
        ("pressure: 0.25", { $0.pressureThreshold = 0.25 }), ("palms: cancel-all", { $0.palms = .cancelAll }),
        ("touch-with-pen: true", { $0.allowsTouchWithPen = true }),
        // The screen is 10 points wide.
        (
            "filter: {debounce: 20 ms, jitter: 1, jump: 2, edge: 2.5, contacts: 2, join: 50 ms}",
            {
                $0.filter = ContactFilter(
                    debounce: 20_000, jitter: 1, jump: 2, edge: 2.5, greatestCount: 2, join: 50_000,
                    point: SurfacePoint(x: 0.1, y: 0.1))
            }
        ),
        ("acceleration: adaptive", { $0.acceleration = PointerAcceleration(profile: .adaptive) }),
        ("speed: -0.5", { $0.acceleration = PointerAcceleration(speed: -0.5) }),
        (
            "acceleration: adaptive, speed: 1",
            { $0.acceleration = PointerAcceleration(profile: .adaptive, speed: 1) }
        ),
        ("lift-after: 80 ms", { $0.liftDelay = 80_000 }),
        ("expected: true", { $0.absence = .seconds(10) }), ("expected: false", { _ in }),
        ("expected: 30", { $0.absence = .seconds(30) }), ("expected: 2 min", { $0.absence = .seconds(120) }),
        ("silent-after: 90", { $0.silence = .seconds(90) }),
        ("silent-after: \"10 min\"", { $0.silence = .seconds(600) }),
        ("silent-after: 1.5h", { $0.silence = .seconds(5400) }),
        ("silent-after: 250 ms", { $0.silence = .milliseconds(250) }),
        ("silent-after: 2 d", { $0.silence = .seconds(172_800) }),
    ]

    @Test("a rule changes only what its key sets", arguments: settings)
    func setting(key: String, change: @Sendable (inout DeviceRule) -> Void) throws {
        var expected = DeviceRule(label: "kiosk.yaml:3:5", match: .init(name: "a"))
        change(&expected)
        #expect(try layout("  - {match: {name: a}, \(key)}").devices == [expected])
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
        #expect(rules[0].filter == ContactFilter(jitter: 2, point: SurfacePoint(x: 1.0 / 200, y: 1.0 / 100)))
    }

    @Test("a rule has steps for absent, silent and returned")
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
    }

    @Test("ignore: true ignores a device, use: true uses one that would be ignored")
    func ignoreAndUse() throws {
        let rules = try layout("  - {match: {name: a}, ignore: true}\n  - {match: {name: b}, use: true}").devices
        #expect(rules.map(\.use) == [false, true])
    }

    @Test("forward is read in device rules, views, gestures, idle times and the layout")
    func everywhere() throws {
        let document = try LayoutDocument(
            text: """
                screen: {size: [10, 10]}
                devices: [{match: {name: a}, forward: true}]
                forward: {default: false, cooldown: 500 ms, lift-cancelled: true}
                views:
                  - frame: [0, 0, 10, 10]
                    forward: true
                    gestures: [{tap: {}, run: log, cancels-forwarded: true}, {swipe: left, run: log, delays-forwarded: true}]
                    views: [{frame: [0, 0, 5, 5], forward: false}, {frame: [5, 5, 5, 5]}]
                idle: {after: 60, forward: false, run: log}
                """, file: "kiosk.yaml", handlers: ["log"])

        #expect(document.devices.map(\.forwards) == [true] && document.warnings.isEmpty)
        #expect(!document.forward.isDefault && document.forward.cooldown == 0.5 && document.forward.liftsCancelled)
        let view = document.views[0]
        #expect(view.forwards == true && view.views.map(\.forwards) == [false, nil])
        #expect(view.gestures.map(\.cancelsForwardedTouches) == [true, false])
        #expect(view.gestures.map(\.delaysForwardedTouches) == [false, true])
        #expect(document.idle.map(\.forwards) == [false])
    }
}
