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
    package func factor(at velocity: Double) -> Double {
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
