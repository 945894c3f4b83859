/// Converts `ABS_X`, `ABS_Y`, `ABS_PRESSURE` and `BTN_TOUCH` of a single-touch panel into the content of a slot.
struct SingleTouch: Sendable {
    private(set) var axes = ContactAxes()
    /// Counts contacts from 0, because the kernel has no id for them; -1 without a contact.
    private(set) var trackingID: Int32 = -1
    private var lastTrackingID: Int32 = -1
    private let position: PositionAxes
    private let hasTouchKey: Bool
    private let pressureThreshold: Int32?
    /// Whether a position begins a contact too, which the caller ends with `lift()`, unless the panel has reported that
    /// nothing touches it.
    let isLiftedLater: Bool
    /// What the panel last reported of a touch, by `BTN_TOUCH` or its pressure; nil if it never did.
    private var isPressed: Bool?

    /// - Parameter isLiftedLater: Whether to infer contacts from positions, on a panel that does not report lifting.
    init(_ description: DeviceDescription, _ position: PositionAxes, isLiftedLater: Bool) {
        self.position = position
        hasTouchKey = description[EventType.key].contains(KeyCode.touch)
        axes.x = description.axes[position.x]?.value ?? 0
        axes.y = description.axes[position.y]?.value ?? 0
        let pressure = description.axes[AbsCode.pressure]
        axes.pressure = pressure?.value ?? 0
        pressureThreshold = pressure?.minimum
        self.isLiftedLater = isLiftedLater
        // A finger that is down already; of BTN_TOUCH only changes count.
        if !hasTouchKey, let pressure { setTouching(pressure.value > pressure.minimum) }
    }

    /// Processes an event; returns false if it does not concern the contact.
    mutating func feed(_ event: InputEvent) -> Bool {
        switch (event.type, event.code) {
        case (EventType.absolute, position.x):
            axes.x = event.value
            if isLiftedLater { touch() }
        case (EventType.absolute, position.y):
            axes.y = event.value
            if isLiftedLater { touch() }
        case (EventType.absolute, AbsCode.pressure):
            axes.pressure = event.value
            if !hasTouchKey, let pressureThreshold { press(event.value > pressureThreshold) }
        case (EventType.key, KeyCode.touch) where event.value != 2: press(event.value != 0)
        case (EventType.key, let code) where KeyCode.tools.contains(code): break
        default: return false
        }
        return true
    }

    /// Begins the contact of a position, or continues it.
    mutating func touch() {
        if isPressed != false { setTouching(true) }
    }

    private mutating func press(_ isPressed: Bool) {
        self.isPressed = isPressed
        setTouching(isPressed)
    }

    /// Ends the contact.
    mutating func lift() { setTouching(false) }

    private mutating func setTouching(_ isTouching: Bool) {
        guard isTouching != (trackingID >= 0) else { return }
        if isTouching {
            lastTrackingID = lastTrackingID == .max ? 0 : lastTrackingID + 1
            trackingID = lastTrackingID
        } else {
            trackingID = -1
        }
    }
}
