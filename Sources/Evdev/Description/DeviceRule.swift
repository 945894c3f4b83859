/// What an integrator says of some devices: which they are, and what is done with them.
///
/// A rule changes only what it names. Of several rules that match a device the later ones win, setting by setting.
public struct DeviceRule: Sendable, Equatable {
    /// Which devices a rule is for; a device has to fulfil every condition there is.
    public struct Match: Sendable, Equatable {
        /// The device's name.
        public var name: Pattern?
        /// The event node, or one of the links that udev makes to it.
        public var path: Pattern?
        /// Where the device is plugged in: its `phys`, or udev's `ID_PATH`.
        public var physicalPath: Pattern?
        /// USB's, or another bus', vendor.
        public var vendor: UInt16?
        /// The vendor's product.
        public var product: UInt16?
        /// udev's properties by their names.
        public var properties: [String: Pattern]

        /// Makes a condition; without arguments one that every device fulfils.
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
    /// Which devices it is for.
    public var match: Match
    /// False leaves the device alone; true reads it though it would be left alone, a keyboard or a touchpad say.
    public var use: Bool?
    /// Whether others that read the device are kept from it (`EVIOCGRAB`).
    public var grabs: Bool?
    /// How the surface is turned against the screen.
    public var rotation: Rotation?
    /// Corrects positions before the rotation; instead of udev's `LIBINPUT_CALIBRATION_MATRIX`.
    public var calibration: CalibrationMatrix?
    /// Which axes hold the position of a single-touch panel, where they are not `ABS_X` and `ABS_Y`.
    public var positionAxes: PositionAxes?
    /// The pressure from 0 to 1 below which a contact does not touch.
    public var pressureThreshold: Float?
    /// What is kept from the views.
    public var filter: ContactFilter?
    /// The screen that the surface belongs to, by its name; this module only hands it on.
    public var target: String?
    /// The part of the screen that the surface covers.
    public var region: SurfaceRegion?
    /// How a mouse's motion becomes points.
    public var acceleration: PointerAcceleration?
    /// Lifts the contact of a panel that never says so, when it has reported nothing for so many microseconds.
    ///
    /// For panels with neither `BTN_TOUCH` nor pressure; the others say when a finger is lifted, and this changes nothing.
    public var liftDelay: Int64?
    /// What a palm does, as far as the device tells palms apart.
    public var palms: PalmHandling?
    /// Whether fingers touch while a pen is in range; by default they do not, on a device with both.
    public var allowsTouchWithPen: Bool?
    /// How long such a device may be missing until that is said; nil where none is expected. See `DeviceAttendance`.
    public var absence: Duration?
    /// How long a device may say nothing until that is said; nil for ever. See `DeviceAttendance`.
    public var silence: Duration?

    /// Makes a rule that changes nothing yet.
    public init(label: String, match: Match) {
        self.label = label
        self.match = match
    }

    /// Whether another rule says the same of the same devices, whatever its label.
    public func saysTheSame(as other: DeviceRule) -> Bool {
        var renamed = other
        renamed.label = label
        return self == renamed
    }
}

/// What a palm (`MT_TOOL_PALM`) does to the contacts of its device.
public enum PalmHandling: String, Sendable, CaseIterable {
    /// The palm's own contact is cancelled, or never begins; it is ignored until it is lifted.
    case cancel
    /// All contacts of the device are cancelled, and ignored until they are lifted; none begins while the palm is down.
    case cancelAll = "cancel-all"
    /// A palm touches like a finger.
    case allow
}

/// The codes of two absolute axes.
public struct PositionAxes: Sendable, Equatable {
    /// The horizontal one.
    public var x: UInt16
    /// The vertical one.
    public var y: UInt16

    /// Makes a pair of `ABS_…` codes.
    public init(x: UInt16, y: UInt16) {
        self.x = x
        self.y = y
    }
}

extension DeviceRule.Match {
    /// Whether a device fulfils the condition.
    /// - Parameters:
    ///   - description: what the device says of itself.
    ///   - path: its event node.
    ///   - properties: udev's properties of it.
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
