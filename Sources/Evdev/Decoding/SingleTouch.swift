/// A panel that knows one contact: makes of `ABS_X`, `ABS_Y`, `ABS_PRESSURE` and `BTN_TOUCH` what a slot would hold.
struct SingleTouch: Sendable {
    private(set) var axes = ContactAxes()
    /// Counts contacts from 0, as there is no number from the kernel; -1 while nothing touches.
    private(set) var trackingID: Int32 = -1
    private var lastTrackingID: Int32 = -1
    private let position: PositionAxes
    private let hasTouchKey: Bool
    private let pressureThreshold: Int32?
    /// Whether the panel never says that it is touched: a position says so, and somebody else calls `lift()`.
    let isLiftedLater: Bool
    /// When such a panel sent a position last.
    private(set) var lastPosition = InputTimestamp(microseconds: 0)

    /// - Parameter isLiftedLater: what is to be done with a panel that never says that it is touched; no other is changed.
    init(_ description: DeviceDescription, _ position: PositionAxes, isLiftedLater: Bool) {
        self.position = position
        hasTouchKey = description[EventType.key].contains(KeyCode.touch)
        axes.x = description.axes[position.x]?.value ?? 0
        axes.y = description.axes[position.y]?.value ?? 0
        pressureThreshold = description.axes[AbsCode.pressure].map(\.minimum)
        self.isLiftedLater = isLiftedLater && !hasTouchKey && pressureThreshold == nil
    }

    /// Takes an event; answers false if it has nothing to do with the contact.
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

    private mutating func touch(at time: InputTimestamp) {
        lastPosition = time
        setTouching(true)
    }

    /// Says that nothing touches any more.
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
