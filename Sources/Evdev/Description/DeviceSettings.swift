/// The settings of one device, after all matching rules.
package struct DeviceSettings: Sendable, Equatable {
    /// The labels of the matching rules, in order.
    package var rules: [String] = []
    /// Whether to read it; nil if the device's role decides.
    package var use: Bool?
    /// The label of the rule that decided `use`; nil if none did.
    var ruleOfUse: String?
    /// Whether to grab the device.
    package var grabs = false
    /// Whether its touches are passed on through a virtual touchscreen.
    package var forwards = false
    /// The matrix for positions in the unit square: calibration, then rotation.
    package var calibration = CalibrationMatrix.identity
    /// The position axes of a single-touch panel.
    package var positionAxes = PositionAxes(x: AbsCode.x, y: AbsCode.y)
    /// The pressure, from 0 to 1, with which a contact begins; it ends below half of it.
    package var pressureThreshold: Double?
    /// The filter for contacts.
    package var filter = ContactFilter()
    /// The name of the screen that the surface belongs to; nil for the main screen.
    package var target: String?
    /// The part of the screen that the surface covers.
    package var region = SurfaceRegion.whole
    /// How a mouse's motion is converted to points.
    package var acceleration = PointerAcceleration()
    /// The time in microseconds without a report after which contacts end, on a panel that does not report lifting.
    package var liftDelay: Int64?
    /// The handling of palms.
    package var palms = PalmHandling.cancel
    /// Whether fingers touch while a pen is in range.
    package var allowsTouchWithPen = false

    /// The settings of a device without rules.
    package init() {}

    /// Applies the rules and udev's `LIBINPUT_CALIBRATION_MATRIX` and `LIBINPUT_IGNORE_DEVICE` to a device.
    package init(
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
