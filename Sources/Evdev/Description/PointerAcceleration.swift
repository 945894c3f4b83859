/// How a mouse's counts become points; the names are libinput's.
public struct PointerAcceleration: Sendable, Equatable {
    /// What the factor depends on.
    public enum Profile: String, Sendable, CaseIterable {
        /// On nothing: every count is as many points.
        case flat
        /// On how fast the mouse is: slow motion is made finer, fast motion longer.
        case adaptive
    }

    /// What the factor depends on.
    public var profile: Profile
    /// From -1, slowest, to 1, fastest; 0 is the profile's own speed.
    public var speed: Double

    /// Makes an acceleration; without arguments the one that makes a point of every count.
    public init(profile: Profile = .flat, speed: Double = 0) {
        precondition((-1...1).contains(speed), "the speed of a pointer lies between -1 and 1")
        self.profile = profile
        self.speed = speed
    }

    /// By how much a motion is multiplied.
    ///
    /// The flat profile multiplies by 1 + speed, at least 0.005. The adaptive one has the shape that libinput documents
    /// ("Pointer acceleration", linear): two inclines with a plateau of 1 between them and a limit above, which `speed`
    /// moves. A mouse is taken for one of 1000 counts an inch, as libinput takes one of which udev knows nothing.
    ///
    ///     factor
    ///        ^        ____
    ///        |       /
    ///        |  ____/
    ///        | /
    ///        +--------------> counts a millisecond
    /// - Parameter velocity: counts a millisecond.
    public func factor(at velocity: Double) -> Double {
        switch profile {
        case .flat: return max(0.005, 1 + speed)
        case .adaptive:
            // Below 1.8 mm/s a hand aims: a pixel takes several counts.
            if velocity < 0.07 { return min(limit, 10 * velocity + 0.3) }
            return min(limit, 1 + max(0, velocity - threshold) * incline)
        }
    }

    // libinput's numbers for the linear profile.
    private var threshold: Double { max(0.4 - 0.25 * speed, 0.2) }
    private var limit: Double { 2 + 1.5 * speed }
    private var incline: Double { 1.1 + 0.75 * speed }
}

/// Follows how fast a mouse is.
struct PointerAccelerator: Sendable {
    private let acceleration: PointerAcceleration
    private var last: (time: Int64, velocity: Double)?

    /// A mouse that said nothing for so long, in microseconds, was at rest: libinput forgets its motion as well.
    private static let rest: Int64 = 1_000_000
    /// What a motion after a rest took, in milliseconds: a report of the slowest mice that are sold.
    private static let firstInterval = 8.0

    init(_ acceleration: PointerAcceleration) { self.acceleration = acceleration }

    /// By how much a report's motion is multiplied.
    /// - Parameters:
    ///   - x: counts to the right.
    ///   - y: counts downwards.
    ///   - time: of the report.
    mutating func factor(x: Double, y: Double, at time: InputTimestamp) -> Double {
        guard acceleration.profile == .adaptive else { return acceleration.factor(at: 0) }
        let distance = (x * x + y * y).squareRoot()
        let now = time.microseconds
        // A recording may hold any two times.
        let elapsed = last.map { now.subtractingReportingOverflow($0.time) }
        guard let last, let elapsed, !elapsed.overflow, (0..<Self.rest).contains(elapsed.partialValue) else {
            let velocity = distance / Self.firstInterval
            last = (now, velocity)
            return acceleration.factor(at: velocity)
        }
        // Reports of a mouse of 1000 Hz come in pairs when the bus is busy; none is faster than that.
        let velocity = distance / max(Double(elapsed.partialValue) / 1000, 1)
        self.last = (now, velocity)
        // The mean over the motion since the last report, by Simpson's rule as libinput does: a single fast report
        // among slow ones does not make the pointer jump.
        let middle = acceleration.factor(at: (last.velocity + velocity) / 2)
        return (acceleration.factor(at: last.velocity) + 4 * middle + acceleration.factor(at: velocity)) / 6
    }
}
