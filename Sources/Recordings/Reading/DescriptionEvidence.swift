import Evdev

/// Infers a device's description from its events, for a recording without a description.
struct DescriptionEvidence {
    private var seen = DeviceDescription()
    private(set) var isEmpty = true

    /// The device as inferred from its events.
    var description: DeviceDescription {
        var description = seen
        // A single finger in slot 0 never names the slot: ids without SYN_MT_REPORT are still protocol B. Protocol A
        // sends SYN_MT_REPORT after the first id, so the protocol is known only at the end of a report.
        let isAnonymous = seen[EventType.synchronization].contains(SynCode.multitouchReport)
        if seen.axes[AbsCode.trackingID] != nil, !isAnonymous, seen.axes[AbsCode.slot] == nil {
            description.insertAxis(AbsCode.slot, AxisInfo(minimum: 0, maximum: 0))
        }
        return description
    }

    /// Adds an event.
    mutating func add(_ event: InputEvent) {
        isEmpty = false
        seen[event.type].insert(event.code)
        guard event.type == EventType.absolute else { return }
        if var axis = seen.axes[event.code] {
            axis.minimum = min(axis.minimum, event.value)
            axis.maximum = max(axis.maximum, event.value)
            seen.axes[event.code] = axis
        } else {
            seen.insertAxis(event.code, AxisInfo(minimum: min(0, event.value), maximum: event.value))
        }
    }
}
