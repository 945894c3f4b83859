/// The conversion of a mouse's counts to points; the names are libinput's.
public struct PointerAcceleration: Sendable, Equatable {
    /// The dependency of the factor on the velocity.
    public enum Profile: String, Sendable, CaseIterable {
        /// None: the factor is constant.
        case flat
        /// The factor is lower for slow motion and higher for fast motion.
        case adaptive
    }

    /// The profile.
    public var profile: Profile
    /// From -1, slowest, to 1, fastest; 0 is the profile's default.
    public var speed: Double

    /// Creates an acceleration; with the defaults, one count is one point.
    public init(profile: Profile = .flat, speed: Double = 0) {
        precondition((-1...1).contains(speed), "the speed of a pointer must be between -1 and 1")
        self.profile = profile
        self.speed = speed
    }

    /// The factor for a motion.
    ///
    /// The flat profile's factor is 1 + speed, at least 0.005. The adaptive profile has the shape that libinput
    /// documents ("Pointer acceleration", linear): two inclines with a plateau of 1 between them and an upper limit;
    /// `speed` shifts them. A mouse is assumed to have 1000 counts per inch, libinput's default.
    ///
    ///     factor
    ///        ^        ____
    ///        |       /
    ///        |  ____/
    ///        | /
    ///        +--------------> counts per millisecond
    /// - Parameter velocity: In counts per millisecond.
    public func factor(at velocity: Double) -> Double {
        switch profile {
        case .flat: return max(0.005, 1 + speed)
        case .adaptive:
            // Below 1.8 mm/s the user is aiming: a pixel takes several counts.
            if velocity < 0.07 { return min(limit, 10 * velocity + 0.3) }
            return min(limit, 1 + max(0, velocity - threshold) * incline)
        }
    }

    // libinput's constants for the linear profile.
    private var threshold: Double { max(0.4 - 0.25 * speed, 0.2) }
    private var limit: Double { 2 + 1.5 * speed }
    private var incline: Double { 1.1 + 0.75 * speed }
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
