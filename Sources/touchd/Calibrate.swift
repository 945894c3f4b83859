import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import Evdev
import EventLoop
import Foundation

struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measure the calibration of a touchscreen with four touches, and print the line for the layout.",
        discussion: """
            touchd does not draw, so show four marks with another program, each at a distance of --inset from its corner, \
            as a fraction of the screen's width and height. Touch the marks in the given order, and add the printed line \
            to the layout, whose device rules apply. Rotated and mirrored touchscreens work too.
            """)

    @Argument(
        help: "The touchscreen's event node; optional if only one is connected.", completion: NameCompletion.nodes)
    var device: String?

    @Option(help: ArgumentHelp("The distance of the marks from the corners, from 0 to 0.4.", valueName: "fraction"))
    var inset = 0.1

    @OptionGroup var recording: RecordingOptions

    @OptionGroup var layout: LayoutOption

    func validate() throws {
        guard (0...0.4).contains(inset) else { throw ValidationError("--inset must be between 0 and 0.4") }
        if device != nil, recording.replay != nil {
            throw ValidationError("--replay reads no device; name one of the recording with --device")
        }
    }

    func run() throws {
        try CommandFailure.reporting { try MainActor.assumeIsolated { try calibrate() } }
    }

    @MainActor private func calibrate() throws {
        var marks = CalibrationMarks(inset: inset)
        var pointer: SurfacePoint?
        func touched(at point: SurfacePoint) {
            marks.touched(at: Measurement.position(of: point))
            if marks.isComplete { return EpollRunLoop.main.stop() }
            Self.ask("Touch the \(marks.nextName) mark.")
        }
        func process(_ frame: borrowing InputFrame) {
            if case .to(let point) = frame.pointer { pointer = point }
            for contact in frame.contacts where contact.phase == .ended { touched(at: contact.position) }
            for key in frame.keys where key.code == KeyCode.left && key.action == .released {
                if let pointer { touched(at: pointer) }
            }
        }
        let device = try withSource(process) {
            // Not before the device is open, so that no touch is missed.
            Self.ask("Touch the \(marks.nextName) mark, and lift the finger.")
            _ = EpollRunLoop.main.run()
        }

        guard marks.isComplete else {
            let status = EpollRunLoop.isInterrupted ? 128 + SIGINT : EX_UNAVAILABLE
            throw UnavailableError("ended before all four marks were touched; nothing was changed", status: status)
        }
        guard let matrix = marks.matrix else {
            throw UnavailableError("the four touches are on one line; touch the marks in the given order")
        }
        guard marks.fit(matrix) else {
            throw UnavailableError(
                "the four touches do not match the four marks, even turned, mirrored or stretched; touch each "
                    + "mark once, in the given order")
        }
        if let axes = device.positionAxes {
            for (name, axis, part) in [("x", axes.x, marks.extent.x), ("y", axes.y, marks.extent.y)] {
                guard let axis, let note = Self.rangeNote(name, axis, part) else { continue }
                StandardError.write(line: "touchd: \(note)")
            }
        }
        // A panel that reports many times its range needs more digits.
        let farthest = max(1, marks.extent.x.upperBound, marks.extent.y.upperBound)
        let digits = 4 + Int(log10(farthest))
        let numbers = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f].map {
            // Without the sign of a negative number that is rounded to 0.
            String(format: "%.\(digits)f", ($0 * pow(10, Double(digits))).rounded() / pow(10, Double(digits)) + 0)
        }
        print(
            """

            # In the layout:
            devices:
              - match: {name: \(Self.quoted(device.description.name))}
                calibration: [\(numbers.joined(separator: ", "))]

            # Or for every program, in a udev rule:
            ENV{LIBINPUT_CALIBRATION_MATRIX}="\(numbers.joined(separator: " "))"
            """)
    }

    /// Reports that a panel left the range that it announces; nil if it did not.
    /// - Parameter part: What it reported, in fractions of the range.
    private static func rangeNote(_ name: String, _ axis: AxisInfo, _ part: ClosedRange<Double>) -> String? {
        guard part.lowerBound < 0 || part.upperBound >= 1 else { return nil }
        let (minimum, length) = (Double(axis.minimum), Double(axis.maximum) - Double(axis.minimum))
        let values = [part.lowerBound, part.upperBound].map {
            Int64((minimum + $0 * (length < 0 ? length - 1 : length + 1)).rounded())
        }
        return "the device announces \(name) from \(axis.minimum) to \(axis.maximum), but the touches were from "
            + "\(values[0]) to \(values[1]); the matrix corrects this"
    }

    /// Runs a closure while frames arrive from the device or from the recording, in the coordinates of `Measurement`;
    /// returns the device.
    @MainActor private func withSource(
        _ process: @escaping (borrowing InputFrame) -> Void, _ body: () -> Void
    ) throws -> DeviceInfo {
        let rules = try layout.deviceRules()
        if let replay = recording.replay {
            // Before the signals only stop the loop, because it waits for the first event of a pipe.
            let reader = try RecordingReader(
                path: replay, description: recording.recorded.description, device: recording.recorded.device)
            let loop = try EpollRunLoop.mainUntilInterrupted()
            let settings = DeviceSettings(
                rules: rules, description: reader.description, path: replay, properties: reader.udevProperties)
            var failure: RecordingError?
            let player = RecordingPlayer(
                reader, path: replay, loop: loop, speed: .maximum,
                rules: rules + [Measurement.rule(for: .init(), filter: settings.filter)], onFrame: process
            ) { error in
                failure = error
                loop.stop()
            }
            player.start()
            body()
            player.stop()
            if let failure { throw failure }
            return player.info
        }
        let loop = try EpollRunLoop.mainUntilInterrupted()
        let screen = try touchscreen(rules)
        // A rule of the layout could grab another device.
        var others = DeviceRule(label: "touchd calibrate", match: .init())
        others.use = false
        let measured = Measurement.rule(for: .init(path: Pattern(screen.path)), filter: screen.settings.filter)
        var failure: UnavailableError?
        let monitor = DeviceMonitor(
            loop: loop, rules: rules + [others, measured], onFrame: { if $0.device == screen.id { process($0) } },
            onChange: { change in
                switch change {
                case .removed(let info) where info.id == screen.id, .failed(let info) where info.id == screen.id:
                    failure = UnavailableError("\(info.path): \(info.description.name) was unplugged or cannot be read")
                    loop.stop()
                default: break
                }
            })
        try monitor.start()
        if failure == nil { body() }
        monitor.stop()
        if let failure { throw failure }
        return screen
    }

    /// Prints a line at once, even if standard output is a pipe.
    private static func ask(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// A name as a quoted YAML string, which JSON's are, with the wildcards of 'match' escaped.
    private static func quoted(_ name: String) -> String { name.replacing(/[*?\[]/) { "[\($0.output)]" }.jsonText() }

    private func touchscreen(_ rules: [DeviceRule]) throws -> DeviceInfo {
        let devices = try DeviceMonitor.survey(rules: rules)
        let screen: DeviceInfo
        if let device, let named = devices.first(where: { $0.path == device }) {
            guard named.role.kind == .touchscreen || named.role.kind == .absolutePointer else {
                throw UnavailableError(
                    "\(device): \(named.description.name) is not a touchscreen but a \(named.role.kind.rawValue)")
            }
            if case .failed(let error) = named.use { throw error }
            screen = named
        } else {
            if let device {
                let isThere = FileManager.default.fileExists(atPath: device)
                throw UnavailableError(
                    "\(device): error: \(isThere ? "not an input device" : "there is no such device"); 'touchd devices' lists them",
                    status: EX_NOINPUT)
            }
            let used = devices.filter { $0.use == .used }
            let screens = used.filter { $0.role.kind == .touchscreen }
            let choice = screens.isEmpty ? used.filter { $0.role.kind == .absolutePointer } : screens
            screen = try choice.only(
                "touchscreens", none: "no touchscreen found; run 'touchd devices' to see all devices")
        }
        if screen.isHeld {
            throw UnavailableError("\(screen.path): \(screen.description.name) is \(screen.heldRemark)")
        }
        return screen
    }
}

/// The coordinates in which a device is measured: its announced range is a small square in the middle of the screen, so
/// that no position outside the range is clamped.
private enum Measurement {
    /// The side of the square; the numbers of a calibration matrix end where the room around it does.
    private static let scale = 1e-7

    /// The rule that reads a device so, and applies the layout's filter.
    static func rule(for match: DeviceRule.Match, filter: ContactFilter) -> DeviceRule {
        var rule = DeviceRule(label: "touchd calibrate", match: match)
        rule.use = true
        (rule.grabs, rule.forwards) = (false, false)
        rule.calibration = CalibrationMatrix(scale, 0, 0.5, 0, scale, 0.5)
        rule.rotation = Rotation.none
        rule.region = .whole
        rule.filter = filter
        rule.filter?.point = SurfacePoint(x: filter.point.x * scale, y: filter.point.y * scale)
        return rule
    }

    /// A position in fractions of the announced range.
    static func position(of point: SurfacePoint) -> SurfacePoint {
        SurfacePoint(x: (point.x - 0.5) / scale, y: (point.y - 0.5) / scale)
    }
}

/// The four marks, their touches, and the resulting matrix.
private struct CalibrationMarks {
    private let wanted: [(name: String, point: SurfacePoint)]
    private var touched: [SurfacePoint] = []

    init(inset: Double) {
        let far = 1 - inset
        wanted = [
            ("top left", SurfacePoint(x: inset, y: inset)), ("top right", SurfacePoint(x: far, y: inset)),
            ("bottom right", SurfacePoint(x: far, y: far)), ("bottom left", SurfacePoint(x: inset, y: far)),
        ]
    }

    var isComplete: Bool { touched.count == wanted.count }
    var nextName: String { wanted[touched.count].name }

    mutating func touched(at point: SurfacePoint) {
        if !isComplete { touched.append(point) }
    }

    /// The bounds of the touches, in fractions of the announced range.
    var extent: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
        let (x, y) = (touched.map(\.x), touched.map(\.y))
        return ((x.min() ?? 0)...(x.max() ?? 0), (y.min() ?? 0)...(y.max() ?? 0))
    }

    var matrix: CalibrationMatrix? { CalibrationMatrix(fitting: pairs) }

    /// Whether the touches are close enough to the marks: no finger misses one by a twentieth of the screen.
    func fit(_ matrix: CalibrationMatrix) -> Bool { matrix.greatestError(of: pairs) < 0.05 }

    private var pairs: [(touched: SurfacePoint, wanted: SurfacePoint)] { zip(touched, wanted).map { ($0, $1.point) } }
}
