import ArgumentParser
import CLinux
import CommandSupport
import ControlProtocol
import Evdev
import Foundation
import Layout

/// `touchd selftest`: tests an installation on the kiosk itself.
struct Selftest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selftest",
        abstract: "Test the installation on this kiosk.",
        discussion: """
            Checks the service, its layout or the given one, the devices, the journal and the programs of handlers. Then creates a touchscreen \
            through /dev/uinput, which requires root, and taps on it: the running service reports which views the finger \
            hits. No handler runs for it, nothing is logged or counted, and the program on the screen receives nothing. \
            Prints a line for each check; the exit status is 1 if one failed.
            """)

    @OptionGroup var layout: LayoutOption

    @OptionGroup var result: ResultOptions

    @Flag(help: "Create no touchscreen, and skip the checks that need one.")
    var noTouchscreen = false

    @OptionGroup var control: ControlOptions

    func run() throws {
        let counts = MainActor.assumeIsolated {
            let findings = SelftestResults(result)
            test(findings)
            if result.json { print(findings.all.jsonText(indented: true)) }
            return findings.counts
        }
        func count(_ outcome: SelftestResults.Outcome) -> Int { counts[outcome] ?? 0 }
        if !result.json, !result.quiet || count(.failed) > 0 {
            print("\(count(.passed)) passed, \(count(.failed)) failed, \(count(.skipped)) skipped")
        }
        if count(.failed) > 0 { throw ExitCode(1) }
    }

    @MainActor private func test(_ findings: SelftestResults) {
        let installation = InstallationCheck(findings)
        let status = installation.service(at: control.socket)
        let document = installation.layout(at: layout.given ?? status?.layout ?? layout.path, of: status)
        installation.devices(document?.devices ?? [], of: status)
        installation.journal()
        if let document {
            installation.programs(of: document, startedBy: status)
            installation.network(of: document, usedBy: status)
        }
        if noTouchscreen {
            findings.skip("touches", "not tested because of --no-touchscreen")
        } else if status?.layout == nil {
            findings.skip("touches", "not tested, because no service with a layout answers")
        } else {
            FingerTest.run(findings, socket: control.socket)
        }
    }
}

/// Tests with one finger that touches reach the layout of the running service: through the kernel, udev, the service's
/// decoder and its hit test.
///
/// The service grabs the created touchscreen before the finger comes down, so that no other program, such as the
/// kiosk's browser, receives its events.
@MainActor
final class FingerTest {
    private let findings: SelftestResults
    private let service: ControlConnection
    private let screen: LayoutState.Screen
    /// Exists until it is unplugged.
    private var device: VirtualDevice?
    /// The views that were hit, and for each touch the time from the kernel to the hit test, in seconds.
    private var views: [String] = []
    private var delays: [Double] = []

    /// Creates a touchscreen and taps on it.
    static func run(_ findings: SelftestResults, socket: String) {
        do {
            let service = try ControlConnection(path: socket, timeout: limit)
            let layout: LayoutState = try service.answer(to: .layout)
            guard let screen = layout.screens.first else { return }
            // Held by the test alone, which unplugs it.
            let test = FingerTest(findings, service, screen, try VirtualDevice(description))
            let node = test.device?.node ?? ""
            try test.rehearse(node)
            findings.pass("kernel", "the service reads the touchscreen \(node), created through /dev/uinput")
            test.tap()
        } catch VirtualDeviceError.notPermitted, VirtualDeviceError.hidden {
            findings.skip("kernel", "this user may not write to /dev/uinput; run the command as root")
        } catch VirtualDeviceError.noUinput {
            findings.skip("kernel", "/dev/uinput does not exist; run: modprobe uinput")
        } catch {
            findings.fail("kernel", "the service cannot read a touchscreen created through /dev/uinput: \(error)")
        }
    }

    private init(
        _ findings: SelftestResults, _ service: ControlConnection, _ screen: LayoutState.Screen, _ device: VirtualDevice
    ) {
        self.findings = findings
        self.service = service
        self.screen = screen
        self.device = device
    }

    /// Has the service read the touchscreen as soon as udev has announced it there.
    private func rehearse(_ node: String) throws {
        let end = ContinuousClock.now + Self.limit
        while true {
            do {
                _ = try service.send(.rehearse(device: node))
                return
            } catch let error as ControlError where error.code == .unavailable && .now < end {
                usleep(100_000)
            }
        }
    }

    private func tap() {
        do {
            let places = Self.units.flatMap { row in Self.units.map { (column: $0, row: row) } }
            for (number, place) in places.enumerated() {
                try tap(place.column, place.row, number: Int32(number), unplugs: number == places.count - 1)
            }
        } catch {
            return findings.fail("touches", "\(error)")
        }
        findings.pass(
            "touches", "\(delays.count) taps hit what 'touchd hit' names: \(views.joined(separator: ", "))")
        findings.pass("ends", "each touch ended once, the last one by unplugging the touchscreen")
        delays.sort()
        let (median, longest) = (delays[delays.count / 2] * 1000, delays[delays.count - 1] * 1000)
        findings.pass(
            "delay", String(format: "kernel timestamp to hit test: median %.1f ms, longest %.1f ms", median, longest))
    }

    /// Taps a position in the device's units. The tap must hit the view that the service names for it.
    private func tap(_ column: Int32, _ row: Int32, number: Int32, unplugs: Bool) throws {
        // Exactly the point that the service computes from these units, so that no edge of a view is in between.
        let (x, y) = (Double(column) / Self.span * screen.width, Double(row) / Self.span * screen.height)
        let place = String(format: "a finger at (%.0f, %.0f)", x, y)
        func receiver() throws -> String? {
            let report: HitReport = try service.answer(to: .hit(x: x, y: y))
            return report.receiver
        }

        let before = try receiver()
        try send([(ABS_MT_TRACKING_ID, number), (ABS_MT_POSITION_X, column), (ABS_MT_POSITION_Y, row)], button: 1)
        let began = try nextRecord()
        // The page may have changed in between.
        guard began.phase == .began, try began.view == before || began.view == receiver(),
            hypot(began.x - x, began.y - y) < 1
        else {
            throw UnavailableError(
                "\(place) should hit \(before ?? "nothing") (got \(began.phase.rawValue) on \(began.view) at "
                    + String(format: "(%.0f, %.0f))", began.x, began.y))
        }
        if unplugs { device = nil } else { try send([(ABS_MT_TRACKING_ID, -1)], button: 0) }
        let end = try nextRecord()
        guard end.phase == (unplugs ? .cancelled : .ended), end.view == began.view else {
            throw UnavailableError("\(place) did not end on \(began.view) (got \(end.phase.rawValue) on \(end.view))")
        }
        if !views.contains(began.view) { views.append(began.view) }
        delays.append(began.delay)
    }

    /// Sends one report, as a panel does (multi-touch protocol B, the kernel's
    /// Documentation/input/multi-touch-protocol.rst).
    private func send(_ axes: [(code: Int32, value: Int32)], button: Int32) throws {
        for (code, value) in axes { try device?.write(type: UInt16(EV_ABS), code: UInt16(code), value: value) }
        try device?.write(type: UInt16(EV_KEY), code: UInt16(BTN_TOUCH), value: button)
        try device?.write(type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 0)
    }

    private func nextRecord() throws -> RehearsalRecord {
        try JSONTree(try service.nextEvent(within: Self.limit)).decode()
    }

    /// udev may take seconds on a busy machine.
    private static let limit = Duration.seconds(20)
    /// The middle of each third of an axis, in the device's units.
    private static let units = [1, 3, 5].map { Int32(span) * $0 / 6 }
    /// The number of positions on each axis: finer than any panel, so that points of the layout are hit exactly.
    private static let span = 65_536.0

    private static let description: DeviceDescription = {
        // Not mistaken for the screen of another self-test that runs at the same time.
        var description = DeviceDescription(
            name: "\(RehearsedDevice.namePrefix)\(getpid())", bus: UInt16(BUS_VIRTUAL))
        description.properties.insert(UInt16(INPUT_PROP_DIRECT))
        description[UInt16(EV_KEY)].insert(UInt16(BTN_TOUCH))
        let position = AxisInfo(minimum: 0, maximum: Int32(span) - 1)
        for axis in [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y] {
            description.insertAxis(UInt16(axis), position)
        }
        description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9))
        description.insertAxis(UInt16(ABS_MT_TRACKING_ID), AxisInfo(minimum: 0, maximum: 65_535))
        return description
    }()
}
