/// Accumulates the motion of a mouse or an absolute pointer between two `SYN_REPORT` events.
struct PointerMotionTracker: Sendable {
    private let isRelative: Bool
    private let hasWheels: Bool
    private let surface: Surface?
    /// Whether the wheels have sent high-resolution steps: a driver may announce them and send none.
    private var isFine = (x: false, y: false)
    private var motion: (x: Int64, y: Int64) = (0, 0)
    private var position: (x: Int32, y: Int32)
    private var hasMoved = false
    /// Whether the place at opening, which the kernel does not send, has not been published.
    private var isUnknown = true
    private var wheel: (x: Double, y: Double) = (0, 0)
    private var accelerator: PointerAccelerator

    init(_ description: DeviceDescription, _ role: DeviceRole, _ settings: DeviceSettings) {
        isRelative = role.kind == .mouse || role.kind == .absolutePointer
        // A device with contacts is not also a mouse.
        hasWheels = role.touchProtocol == nil
        let x = description.axes[AbsCode.x]
        let y = description.axes[AbsCode.y]
        position = (x?.value ?? 0, y?.value ?? 0)
        surface =
            role.kind == .absolutePointer
            ? Surface(x: x, y: y, calibration: settings.calibration, region: settings.region) : nil
        accelerator = PointerAccelerator(settings.acceleration)
    }

    var hasChanges: Bool { hasMoved || motion != (0, 0) || wheel != (0, 0) }

    mutating func feed(_ event: InputEvent) {
        switch (event.type, event.code) {
        case (EventType.absolute, AbsCode.x) where surface != nil:
            position.x = event.value
            hasMoved = true
        case (EventType.absolute, AbsCode.y) where surface != nil:
            position.y = event.value
            hasMoved = true
        case (EventType.relative, RelCode.x) where isRelative: motion.x += Int64(event.value)
        case (EventType.relative, RelCode.y) where isRelative: motion.y += Int64(event.value)
        case (EventType.relative, _) where !hasWheels: break
        // A high-resolution wheel also reports detents for older readers; 120 units are one detent.
        case (EventType.relative, RelCode.wheel): if !isFine.y { wheel.y += Double(event.value) }
        case (EventType.relative, RelCode.horizontalWheel): if !isFine.x { wheel.x += Double(event.value) }
        case (EventType.relative, RelCode.wheelHighResolution):
            // Of the first steps, the detents of their report came before them.
            if !isFine.y { (isFine.y, wheel.y) = (true, 0) }
            wheel.y += Double(event.value) / 120
        case (EventType.relative, RelCode.horizontalWheelHighResolution):
            if !isFine.x { (isFine.x, wheel.x) = (true, 0) }
            wheel.x += Double(event.value) / 120
        default: break
        }
    }

    /// - Parameter time: The time of the report.
    mutating func collect(into frame: inout InputFrame, at time: InputTimestamp) {
        // A motion is not lost to the unknown place.
        if let surface, hasMoved || isUnknown && motion == (0, 0) {
            frame.pointer = .to(surface.point(x: position.x, y: position.y))
        } else if motion != (0, 0) {
            let factor = accelerator.factor(x: Double(motion.x), y: Double(motion.y), at: time)
            frame.pointer = .by(x: Double(motion.x) * factor, y: Double(motion.y) * factor)
        }
        if wheel != (0, 0) { frame.scroll = ScrollDelta(x: wheel.x, y: wheel.y) }
        motion = (0, 0)
        (hasMoved, isUnknown) = (false, false)
        wheel = (0, 0)
    }
}

/// Tracks the velocity of a mouse.
struct PointerAccelerator: Sendable {
    private let acceleration: PointerAcceleration
    private var last: (time: Int64, velocity: Double)?

    /// A mouse without reports for this time, in microseconds, was at rest; libinput resets its motion likewise.
    private static let rest: Int64 = 1_000_000
    /// The assumed duration of a motion after a rest, in milliseconds: the report interval of the slowest mice.
    private static let firstInterval = 8.0

    init(_ acceleration: PointerAcceleration) { self.acceleration = acceleration }

    /// The factor for the motion of a report.
    /// - Parameters:
    ///   - x: Counts to the right.
    ///   - y: Counts downwards.
    ///   - time: The time of the report.
    mutating func factor(x: Double, y: Double, at time: InputTimestamp) -> Double {
        guard acceleration.profile == .adaptive else { return acceleration.factor(at: 0) }
        let distance = (x * x + y * y).squareRoot()
        let now = time.microseconds
        // A recording may contain any two times.
        let elapsed = last.map { now.subtractingReportingOverflow($0.time) }
        guard let last, let elapsed, !elapsed.overflow, (0..<Self.rest).contains(elapsed.partialValue) else {
            let velocity = distance / Self.firstInterval
            last = (now, velocity)
            return acceleration.factor(at: velocity)
        }
        // Reports of a 1000 Hz mouse arrive in pairs when the bus is busy; no mouse is faster.
        let velocity = distance / max(Double(elapsed.partialValue) / 1000, 1)
        self.last = (now, velocity)
        // The mean over the motion since the last report by Simpson's rule, as in libinput. So a single fast report
        // among slow ones does not make the pointer jump.
        let middle = acceleration.factor(at: (last.velocity + velocity) / 2)
        return (acceleration.factor(at: last.velocity) + 4 * middle + acceleration.factor(at: velocity)) / 6
    }
}
