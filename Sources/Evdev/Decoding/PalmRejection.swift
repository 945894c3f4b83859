/// Decides which contacts of a device are touches. Palms are not, and neither are dials that stand on the screen, fingers
/// beside a pen, contacts that hover, and contacts that press too lightly.
struct PalmRejection: Sendable {
    private let palms: PalmHandling
    private let ignoresTouchWithPen: Bool
    /// Whether contacts with `ABS_MT_DISTANCE` above 0, and dials, are ignored.
    private let takesOnlyTouches: Bool
    /// The pressure with which a contact begins, and the lower one below which it ends, in device units.
    private let pressure: (begin: Int32, end: Int32)?
    /// The pens in range, a bit for each code from `BTN_TOOL_PEN` on.
    private var pensInRange: UInt8 = 0

    init(
        _ description: DeviceDescription, _ touchProtocol: DeviceRole.TouchProtocol?, _ settings: DeviceSettings,
        policy: DecodingPolicy
    ) {
        palms = policy == .everything ? .allow : settings.palms
        takesOnlyTouches = policy == .touches
        // On a single-touch device with a pen, the pen is the only contact.
        ignoresTouchWithPen = policy == .touches && touchProtocol != .single && !settings.allowsTouchWithPen
        let axis = description.axes[touchProtocol == .single ? AbsCode.pressure : AbsCode.multitouchPressure]
        pressure = settings.pressureThreshold.flatMap { threshold in
            // Half, so that noise around the threshold does not lift a finger (libinput has two thresholds too, for
            // touchpads and pens).
            axis.map { ($0.value(atFraction: threshold), $0.value(atFraction: threshold / 2)) }
        }
    }

    /// Processes a key for a tool in range; returns false for other keys.
    mutating func feed(_ event: InputEvent) -> Bool {
        guard KeyCode.tools.contains(event.code) else { return false }
        if KeyCode.pens.contains(event.code), event.value != 2 {
            let bit = UInt8(1) << (event.code - KeyCode.pens.lowerBound)
            pensInRange = event.value != 0 ? pensInRange | bit : pensInRange & ~bit
        }
        return true
    }

    /// Whether a contact is a palm or a dial, which is refused until it is lifted.
    func isNoFinger(_ axes: ContactAxes) -> Bool {
        palms != .allow && axes.tool == ToolType.palm || takesOnlyTouches && axes.tool == ToolType.dial
    }

    /// Whether a contact is a touch.
    /// - Parameter isDown: Whether the contact has been reported, so that a lower pressure keeps it.
    func accepts(_ axes: ContactAxes, whileDown isDown: Bool = false) -> Bool {
        if isNoFinger(axes) || takesOnlyTouches && axes.distance > 0 { return false }
        guard let pressure else { return true }
        return axes.pressure >= (isDown ? pressure.end : pressure.begin)
    }

    /// Whether all fingers are refused: a pen is in range, or a palm is down and the handling is `cancelAll`.
    func refusesFingers(of slots: [ContactSlot]) -> Bool {
        pensInRange != 0 && ignoresTouchWithPen
            || palms == .cancelAll && slots.contains { $0.trackingID >= 0 && $0.axes.tool == ToolType.palm }
    }
}
