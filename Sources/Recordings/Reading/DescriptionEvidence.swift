import Evdev

/// What can be said of a device from its events alone, for a recording that does not describe it.
struct DescriptionEvidence {
    private(set) var description = DeviceDescription()
    private(set) var isEmpty = true
    private var hasTrackingID = false

    /// Takes one more event as evidence.
    mutating func add(_ event: InputEvent) {
        isEmpty = false
        description[event.type].insert(event.code)
        guard event.type == EventType.absolute else { return }
        if var axis = description.axes[event.code] {
            axis.minimum = min(axis.minimum, event.value)
            axis.maximum = max(axis.maximum, event.value)
            description.axes[event.code] = axis
        } else {
            description.insertAxis(event.code, AxisInfo(minimum: min(0, event.value), maximum: event.value))
        }
        // One finger in slot 0 never names the slot; tracking ids without SYN_MT_REPORT are protocol B all the same.
        let isAnonymous = description[EventType.synchronization].contains(SynCode.multitouchReport)
        hasTrackingID = hasTrackingID || event.code == AbsCode.trackingID
        if hasTrackingID, !isAnonymous, description.axes[AbsCode.slot] == nil {
            description.insertAxis(AbsCode.slot, AxisInfo(minimum: 0, maximum: 0))
        }
    }
}
