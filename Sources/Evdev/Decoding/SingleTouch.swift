/// Converts `ABS_X`, `ABS_Y`, `ABS_PRESSURE` and `BTN_TOUCH` of a single-touch panel into the content of a slot.
struct SingleTouch: Sendable {
    private(set) var axes = ContactAxes()
    /// Counts contacts from 0, because the kernel has no id for them; -1 without a contact.
    private(set) var trackingID: Int32 = -1
    private var lastTrackingID: Int32 = -1
    private let position: PositionAxes
    private let hasTouchKey: Bool
    private let pressureThreshold: Int32?
    /// Whether the panel never reports touch and release: a position begins a contact, and the caller ends it with
    /// `lift()`.
    let isLiftedLater: Bool
    /// When such a panel last sent a position.
    private(set) var lastPosition = InputTimestamp(microseconds: 0)

    /// - Parameter isLiftedLater: Whether to infer contacts on a panel that never reports touch and release; ignored
    ///   for other panels.
    init(_ description: DeviceDescription, _ position: PositionAxes, isLiftedLater: Bool) {
        self.position = position
        hasTouchKey = description[EventType.key].contains(KeyCode.touch)
        axes.x = description.axes[position.x]?.value ?? 0
        axes.y = description.axes[position.y]?.value ?? 0
        let pressure = description.axes[AbsCode.pressure]
        axes.pressure = pressure?.value ?? 0
        pressureThreshold = pressure?.minimum
        self.isLiftedLater = isLiftedLater && !hasTouchKey && pressure == nil
        // A finger that is down already; of BTN_TOUCH only changes count.
        if !hasTouchKey, let pressure { setTouching(pressure.value > pressure.minimum) }
    }

    /// Processes an event; returns false if it does not concern the contact.
    mutating func feed(_ event: InputEvent) -> Bool {
        switch (event.type, event.code) {
        case (EventType.absolute, position.x):
            axes.x = event.value
            if isLiftedLater { touch(at: event.time) }
        case (EventType.absolute, position.y):
            axes.y = event.value
            if isLiftedLater { touch(at: event.time) }
        case (EventType.absolute, AbsCode.pressure):
            axes.pressure = event.value
            if !hasTouchKey, let pressureThreshold { setTouching(event.value > pressureThreshold) }
        case (EventType.key, KeyCode.touch) where event.value != 2: setTouching(event.value != 0)
        case (EventType.key, let code) where KeyCode.tools.contains(code): break
        default: return false
        }
        return true
    }

    /// Begins the contact of such a panel, or continues it.
    mutating func touch(at time: InputTimestamp) {
        lastPosition = time
        setTouching(true)
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
