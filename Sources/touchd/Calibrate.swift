import ArgumentParser
import CommandSupport
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
            to the layout. Rotated and mirrored touchscreens work too.
            """)

    @Argument(help: "The touchscreen's event node; optional if only one is connected.", completion: .file())
    var device: String?

    @Option(help: ArgumentHelp("The distance of the marks from the corners, from 0 to 0.4.", valueName: "fraction"))
    var inset = 0.1

    @Option(help: .file("Read the touches from a recording instead."), completion: .file())
    var replay: String?

    func validate() throws {
        guard (0...0.4).contains(inset) else { throw ValidationError("--inset must be between 0 and 0.4") }
    }

    func run() throws {
        try CommandFailure.reporting { try MainActor.assumeIsolated { try calibrate() } }
    }

    @MainActor private func calibrate() throws {
        let loop = try EpollRunLoop.mainUntilInterrupted()

        var marks = CalibrationMarks(inset: inset)
        func process(_ frame: borrowing InputFrame) {
            for contact in frame.contacts where contact.phase == .ended {
                marks.touched(at: contact.position)
                if marks.isComplete { return loop.stop() }
                Self.ask("Touch the \(marks.nextName) mark.")
            }
        }
        let name = try withSource(on: loop, process) {
            // Not before the device is open, so that no touch is missed.
            Self.ask("Touch the \(marks.nextName) mark, and lift the finger.")
            _ = loop.run()
        }

        guard marks.isComplete else {
            throw UnavailableError("ended before all four marks were touched; nothing was changed")
        }
        guard let matrix = marks.matrix else {
            throw UnavailableError("the four touches are on one line; touch the marks in the given order")
        }
        guard marks.fit(matrix) else {
            throw UnavailableError(
                "the four touches do not match the four marks, even turned, mirrored or stretched; touch each "
                    + "mark once, in the given order")
        }
        let numbers = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f].map { String(format: "%.4f", $0) }
        print(
            """

            # In the layout:
            devices:
              - match: {name: "\(Self.quoted(name))"}
                calibration: [\(numbers.joined(separator: ", "))]

            # Or for every program, in a udev rule:
            ENV{LIBINPUT_CALIBRATION_MATRIX}="\(numbers.joined(separator: " "))"
            """)
    }

    /// Runs a closure while frames arrive from the uncalibrated device or from the recording; returns the device's
    /// name.
    @MainActor private func withSource(
        on loop: EpollRunLoop, _ process: @escaping (borrowing InputFrame) -> Void, _ body: () -> Void
    ) throws -> String {
        if let replay {
            let reader = try RecordingReader(path: replay, description: nil)
            var failure: RecordingError?
            let player = RecordingPlayer(reader, path: replay, loop: loop, speed: .maximum, onFrame: process) { error in
                failure = error
                loop.stop()
            }
            player.start()
            body()
            player.stop()
            if let failure { throw failure }
            return player.info.description.name
        }
        let screen = try touchscreen()
        var alone = DeviceRule(label: "touchd calibrate", match: .init(path: Pattern(screen.path)))
        alone.use = true
        alone.calibration = .identity
        alone.rotation = Rotation.none
        var failure: UnavailableError?
        let monitor = DeviceMonitor(
            loop: loop, rules: [alone], onFrame: { if $0.device == screen.id { process($0) } },
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
        return screen.description.name
    }

    /// Prints a line at once, even if standard output is a pipe.
    private static func ask(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// A name as a quoted YAML string, with the wildcards of 'match' escaped.
    private static func quoted(_ name: String) -> String {
        name.map { character in
            switch character {
            case "*", "?", "[": "[\(character)]"
            case "\"", "\\": "\\\(character)"
            default: String(character)
            }
        }.joined()
    }

    private func touchscreen() throws -> DeviceInfo {
        let devices = try DeviceMonitor.survey()
        if let device, let named = devices.first(where: { $0.path == device }) {
            guard named.role.kind == .touchscreen else {
                throw UnavailableError(
                    "\(device): \(named.description.name) is not a touchscreen but a \(named.role.kind.rawValue)")
            }
            if case .failed(let error) = named.use { throw error }
            return named
        }
        let screens = devices.filter { device == nil && $0.use == .used && $0.role.kind == .touchscreen }
        return try screens.only("touchscreens", none: "no touchscreen found; run 'touchd devices' to see all devices")
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

    var matrix: CalibrationMatrix? { CalibrationMatrix(fitting: pairs) }

    /// Whether the touches are close enough to the marks: no finger misses one by a twentieth of the screen.
    func fit(_ matrix: CalibrationMatrix) -> Bool { matrix.greatestError(of: pairs) < 0.05 }

    private var pairs: [(touched: SurfacePoint, wanted: SurfacePoint)] { zip(touched, wanted).map { ($0, $1.point) } }
}
