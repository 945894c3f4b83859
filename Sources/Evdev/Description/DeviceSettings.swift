/// What is done with one device, after all rules that match it.
public struct DeviceSettings: Sendable, Equatable {
    /// The labels of the rules that matched, in their order.
    public var rules: [String] = []
    /// Whether to read it; nil leaves that to what the device is.
    public var use: Bool?
    /// Whether others are kept from it.
    public var grabs = false
    /// What is applied to every position of the unit square: the calibration, then the rotation.
    public var calibration = CalibrationMatrix.identity
    /// Which axes hold the position of a single-touch panel, if not `ABS_X` and `ABS_Y`.
    public var positionAxes: PositionAxes?
    /// The pressure from 0 to 1 below which a contact does not touch.
    public var pressureThreshold: Float?
    /// What is kept from the views.
    public var filter = ContactFilter()
    /// The screen that the surface belongs to, by its name; nil for the main one.
    public var target: String?
    /// The part of the screen that the surface covers.
    public var region = SurfaceRegion.whole
    /// How a mouse's motion becomes points.
    public var acceleration = PointerAcceleration()
    /// After how many microseconds without a report the contact of a panel that never says so is lifted.
    public var liftDelay: Int64?
    /// What a palm does.
    public var palms = PalmHandling.cancel
    /// Whether fingers touch while a pen is in range.
    public var allowsTouchWithPen = false

    /// Settles what the rules and udev's `LIBINPUT_CALIBRATION_MATRIX` and `LIBINPUT_IGNORE_DEVICE` say of a device.
    public init(
        rules: [DeviceRule] = [], description: DeviceDescription, path: String, properties: [String: String]
    ) {
        var calibration = properties["LIBINPUT_CALIBRATION_MATRIX"].flatMap(CalibrationMatrix.init(udevProperty:))
        var rotation = Rotation.none
        if let ignored = properties["LIBINPUT_IGNORE_DEVICE"], !ignored.isEmpty, ignored != "0" {
            self.rules.append("udev's LIBINPUT_IGNORE_DEVICE")
            use = false
        }
        for rule in rules where rule.match.matches(description, path: path, properties: properties) {
            self.rules.append(rule.label)
            use = rule.use ?? use
            grabs = rule.grabs ?? grabs
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

    /// Who says that the device is not to be read; nil if nobody does.
    package var reasonIgnored: String? { use == false ? "told so by " + (rules.last ?? "a rule") : nil }
}
