/// An integrator's rule for devices: which ones it matches, and their settings.
///
/// A rule changes only the settings that it contains. If several rules match a device, the last one wins for each
/// setting.
///
/// ```swift
/// var rule = DeviceRule(label: "upright panel", match: .init(name: "ILITEK*"))
/// rule.rotation = .quarter
/// rule.filter = ContactFilter(debounce: 20_000)
/// let monitor = DeviceMonitor(loop: loop, rules: [rule], onFrame: { _ in }, onChange: { print($0) })
/// try monitor.start()
/// ```
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
    package var forwards: Bool?
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
    package var target: String?
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
    package var absence: Duration?
    /// How long a device may send nothing before that is reported; nil for no limit. See `DeviceAttendance`.
    package var silence: Duration?

    /// Creates a rule without settings.
    public init(label: String, match: Match) {
        self.label = label
        self.match = match
    }

    /// Whether another rule has the same conditions and settings, regardless of its label.
    package func hasSameSettings(as other: DeviceRule) -> Bool {
        var renamed = other
        renamed.label = label
        return self == renamed
    }
}

extension DeviceRule.Match {
    /// Whether a device satisfies the conditions.
    /// - Parameters:
    ///   - description: The device's description of itself.
    ///   - path: Its event node.
    ///   - properties: Its udev properties.
    package func matches(_ description: DeviceDescription, path: String, properties: [String: String]) -> Bool {
        let links = (properties["DEVLINKS"] ?? "").split(separator: " ").map(String.init)
        let ports = [description.physicalPath, properties["ID_PATH"] ?? ""]
        return name?.matches(description.name) != false
            && self.path.map { pattern in ([path] + links).contains { pattern.matches($0) } } != false
            && physicalPath.map { pattern in ports.contains { pattern.matches($0) } } != false
            && (vendor == nil || vendor == description.vendor) && (product == nil || product == description.product)
            && self.properties.allSatisfy { key, pattern in properties[key].map(pattern.matches) == true }
    }
}
