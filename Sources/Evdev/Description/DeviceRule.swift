import Glibc

/// An integrator's rule for devices: which ones it matches, and their settings.
///
/// A rule changes only the settings that it contains. If several rules match a device, the last one wins for each
/// setting.
public struct DeviceRule: Sendable, Equatable {
    /// The conditions of a rule; a device must satisfy all of them.
    public struct Match: Sendable, Equatable {
        /// The device's name.
        public var name: Pattern?
        /// The event node, or one of udev's links to it.
        public var path: Pattern?
        /// The port of the device: its `phys`, or udev's `ID_PATH`.
        public var physicalPath: Pattern?
        /// The vendor id on USB or another bus.
        public var vendor: UInt16?
        /// The vendor's product id.
        public var product: UInt16?
        /// udev's properties by name.
        public var properties: [String: Pattern]

        /// Creates conditions; the defaults match every device.
        public init(
            name: Pattern? = nil, path: Pattern? = nil, physicalPath: Pattern? = nil, vendor: UInt16? = nil,
            product: UInt16? = nil, properties: [String: Pattern] = [:]
        ) {
            self.name = name
            self.path = path
            self.physicalPath = physicalPath
            self.vendor = vendor
            self.product = product
            self.properties = properties
        }
    }

    /// The rule's name, for status.
    public var label: String
    /// The devices it matches.
    public var match: Match
    /// False ignores the device; true reads it even if it would be ignored, such as a keyboard or a touchpad.
    public var use: Bool?
    /// Whether to grab the device (`EVIOCGRAB`), so that other readers get no events.
    public var grabs: Bool?
    /// Whether to grab a touchscreen and pass its touches on through a virtual one. Grabbing depends on whether the
    /// virtual one can be created, so this replaces `grabs`.
    public var forwards: Bool?
    /// The rotation of the surface relative to the screen.
    public var rotation: Rotation?
    /// Corrects positions before the rotation; replaces udev's `LIBINPUT_CALIBRATION_MATRIX`.
    public var calibration: CalibrationMatrix?
    /// The position axes of a single-touch panel; nil for `ABS_X` and `ABS_Y`.
    public var positionAxes: PositionAxes?
    /// The pressure, from 0 to 1, with which a contact begins; it ends below half of it.
    public var pressureThreshold: Double?
    /// The filter for contacts.
    public var filter: ContactFilter?
    /// The name of the screen that the surface belongs to; this module only passes it on.
    public var target: String?
    /// The part of the screen that the surface covers.
    public var region: SurfaceRegion?
    /// How a mouse's motion is converted to points.
    public var acceleration: PointerAcceleration?
    /// Ends the contact of a panel that never reports a lift, after this many microseconds without a report.
    ///
    /// For panels with neither `BTN_TOUCH` nor pressure; ignored for other panels, which report lifts.
    public var liftDelay: Int64?
    /// The handling of palms, if the device reports them.
    public var palms: PalmHandling?
    /// Whether fingers touch while a pen is in range; the default is false. For devices with both.
    public var allowsTouchWithPen: Bool?
    /// How long a matching device may be missing before that is reported; nil if none is expected. See
    /// `DeviceAttendance`.
    public var absence: Duration?
    /// How long a device may send nothing before that is reported; nil for no limit. See `DeviceAttendance`.
    public var silence: Duration?

    /// Creates a rule without settings.
    public init(label: String, match: Match) {
        self.label = label
        self.match = match
    }

    /// Whether another rule has the same conditions and settings, regardless of its label.
    public func hasSameSettings(as other: DeviceRule) -> Bool {
        var renamed = other
        renamed.label = label
        return self == renamed
    }
}

/// The effect of a palm (`MT_TOOL_PALM`) on the contacts of its device.
public enum PalmHandling: String, Sendable, CaseIterable {
    /// The palm's contact is cancelled, or never begins; it is ignored until it is lifted.
    case cancel
    /// All contacts of the device are cancelled and ignored until they are lifted; no contact begins while the palm is
    /// down.
    case cancelAll = "cancel-all"
    /// A palm is treated like a finger.
    case allow
}

/// The codes of two absolute axes.
public struct PositionAxes: Sendable, Equatable {
    /// The horizontal axis.
    public var x: UInt16
    /// The vertical axis.
    public var y: UInt16

    /// Creates a pair of `ABS_…` codes.
    public init(x: UInt16, y: UInt16) {
        self.x = x
        self.y = y
    }
}

extension DeviceRule.Match {
    /// Whether a device satisfies the conditions.
    /// - Parameters:
    ///   - description: The device's description of itself.
    ///   - path: Its event node.
    ///   - properties: Its udev properties.
    public func matches(_ description: DeviceDescription, path: String, properties: [String: String]) -> Bool {
        let links = (properties["DEVLINKS"] ?? "").split(separator: " ").map(String.init)
        let ports = [description.physicalPath, properties["ID_PATH"] ?? ""]
        return name?.matches(description.name) != false
            && self.path.map { pattern in ([path] + links).contains { pattern.matches($0) } } != false
            && physicalPath.map { pattern in ports.contains { pattern.matches($0) } } != false
            && (vendor == nil || vendor == description.vendor) && (product == nil || product == description.product)
            && self.properties.allSatisfy { key, pattern in properties[key].map(pattern.matches) == true }
    }
}

/// A text that may contain shell wildcards: `*`, `?` and `[…]` (glob(7)).
///
/// Without a wildcard it matches only the same text.
public struct Pattern: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The text as written.
    public var text: String

    /// Creates a pattern from a text.
    public init(_ text: String) { self.text = text }

    /// Creates a pattern from a text.
    public init(stringLiteral text: String) { self.text = text }

    /// Whether the whole text matches; `*` also matches slashes.
    public func matches(_ candidate: String) -> Bool { fnmatch(text, candidate, 0) == 0 }
}

/// The settings of one device, after all matching rules.
public struct DeviceSettings: Sendable, Equatable {
    /// The labels of the matching rules, in order.
    public var rules: [String] = []
    /// Whether to read it; nil if the device's role decides.
    public var use: Bool?
    /// The label of the rule that decided `use`; nil if none did.
    var ruleOfUse: String?
    /// Whether to grab the device.
    public var grabs = false
    /// Whether its touches are passed on through a virtual touchscreen.
    public var forwards = false
    /// The matrix for positions in the unit square: calibration, then rotation.
    public var calibration = CalibrationMatrix.identity
    /// The position axes of a single-touch panel.
    public var positionAxes = PositionAxes(x: AbsCode.x, y: AbsCode.y)
    /// The pressure, from 0 to 1, with which a contact begins; it ends below half of it.
    public var pressureThreshold: Double?
    /// The filter for contacts.
    public var filter = ContactFilter()
    /// The name of the screen that the surface belongs to; nil for the main screen.
    public var target: String?
    /// The part of the screen that the surface covers.
    public var region = SurfaceRegion.whole
    /// How a mouse's motion is converted to points.
    public var acceleration = PointerAcceleration()
    /// The time in microseconds without a report after which a contact ends, on a panel that never reports a lift.
    public var liftDelay: Int64?
    /// The handling of palms.
    public var palms = PalmHandling.cancel
    /// Whether fingers touch while a pen is in range.
    public var allowsTouchWithPen = false

    /// The settings of a device without rules.
    public init() {}

    /// Applies the rules and udev's `LIBINPUT_CALIBRATION_MATRIX` and `LIBINPUT_IGNORE_DEVICE` to a device.
    public init(
        rules: [DeviceRule] = [], description: DeviceDescription, path: String, properties: [String: String]
    ) {
        var calibration = properties["LIBINPUT_CALIBRATION_MATRIX"].flatMap(CalibrationMatrix.init(udevProperty:))
        var rotation = Rotation.none
        if let ignored = properties["LIBINPUT_IGNORE_DEVICE"], !ignored.isEmpty, ignored != "0" {
            self.rules.append("udev's LIBINPUT_IGNORE_DEVICE")
            use = false
            ruleOfUse = self.rules.last
        }
        for rule in rules where rule.match.matches(description, path: path, properties: properties) {
            self.rules.append(rule.label)
            if let decision = rule.use { (use, ruleOfUse) = (decision, rule.label) }
            grabs = rule.grabs ?? grabs
            forwards = rule.forwards ?? forwards
            calibration = rule.calibration ?? calibration
            rotation = rule.rotation ?? rotation
            positionAxes = rule.positionAxes ?? positionAxes
            pressureThreshold = rule.pressureThreshold ?? pressureThreshold
            filter = rule.filter ?? filter
            target = rule.target ?? target
            region = rule.region ?? region
            acceleration = rule.acceleration ?? acceleration
            liftDelay = rule.liftDelay ?? liftDelay
            palms = rule.palms ?? palms
            allowsTouchWithPen = rule.allowsTouchWithPen ?? allowsTouchWithPen
        }
        self.calibration = rotation.matrix.after(calibration ?? .identity)
    }

    /// The rule or property that excludes the device; nil if it is not excluded.
    package var reasonIgnored: String? { use == false ? "ignored by " + (ruleOfUse ?? "a rule") : nil }
}

/// Filters contacts: noise of bad panels, ghost touches at an edge.
///
/// Everything is off by default.
public struct ContactFilter: Sendable, Equatable {
    /// Rejects contacts shorter than this, in microseconds; each contact begins with this delay.
    public var debounce: Int64
    /// Rejects moves of less than this number of points from the contact's last location, on both axes.
    public var jitter: Double
    /// Rejects contacts that begin closer than this number of points to an edge of the surface.
    public var edge: Double
    /// The maximum number of simultaneous contacts; further ones are rejected. Nil for no limit.
    public var greatestCount: Int?
    /// The size of a point, as fractions of the screen's width and height.
    public var point: SurfacePoint

    /// Creates a filter; the defaults reject nothing, on a screen of one point.
    public init(
        debounce: Int64 = 0, jitter: Double = 0, edge: Double = 0, greatestCount: Int? = nil,
        point: SurfacePoint = SurfacePoint(x: 1, y: 1)
    ) {
        self.debounce = debounce
        self.jitter = jitter
        self.edge = edge
        self.greatestCount = greatestCount
        self.point = point
    }

    /// Whether it rejects nothing.
    var isOff: Bool { self == ContactFilter(point: point) }
}

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
