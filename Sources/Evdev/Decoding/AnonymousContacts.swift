import CLibmtdev
import CLinux

/// Gives the anonymous contacts of protocol A slots and tracking ids, by libmtdev, as libinput does.
///
/// A report of protocol A lists all contacts there are; libmtdev pairs those of two reports so that they moved least.
/// Its noise filter is off: positions are the device's own.
final class AnonymousContacts {
    private let device: UnsafeMutablePointer<mtdev>
    private var report: [InputEvent] = []
    private let liftsAtZeroMajor: Bool

    private let hasTrackingIDs: Bool

    /// More events than this have more contacts than `greatestCount`.
    private static let greatestReport = 500
    /// libmtdev has 32 slots, and loops for ever when the last one is taken (seen with 1.1.6).
    ///
    /// It frees the slots of those
    /// that are gone after it has given slots to those that are new, so half of them may be there at a time.
    private static let greatestCount = 15

    /// - Parameter liftsAtZeroMajor: whether a contact reported with `ABS_MT_TOUCH_MAJOR` 0 is lifted, as old drivers
    ///   mean it and libmtdev reads it. The kernel's text does not say so.
    init(_ description: DeviceDescription, liftsAtZeroMajor: Bool) {
        guard let device = mtdev_new(), mtdev_init(device) == 0 else { fatalError("out of memory") }
        self.device = device
        self.liftsAtZeroMajor = liftsAtZeroMajor
        let axes = description[EventType.absolute]
        hasTrackingIDs = axes.contains(AbsCode.trackingID)
        for code in AbsCode.touchMajor...AbsCode.multitouchPressure where axes.contains(code) {
            if code == AbsCode.touchMajor, !liftsAtZeroMajor { continue }
            mtdev_set_mt_event(device, Int32(code), 1)
        }
    }

    deinit { mtdev_close_delete(device) }

    /// Takes an event of the report; answers false if it has nothing to do with contacts.
    func feed(_ event: InputEvent) -> Bool {
        var event = event
        switch (event.type, event.code) {
        case (EventType.absolute, AbsCode.touchMajor...AbsCode.multitouchLast): break
        case (EventType.synchronization, SynCode.multitouchReport): break
        case (EventType.key, KeyCode.touch): break
        case (EventType.absolute, AbsCode.pressure) where event.value == 0:
            // "If the driver reports one of BTN_TOUCH or ABS_PRESSURE in addition to the ABS_MT events, the last
            // SYN_MT_REPORT event may be omitted", says the kernel's text; libmtdev knows BTN_TOUCH alone.
            event.type = EventType.key
            event.code = KeyCode.touch
        case (EventType.absolute, _): return true
        case (EventType.key, let code): return KeyCode.tools.contains(code)
        default: return false
        }
        if report.count < Self.greatestReport { report.append(event) }
        return true
    }

    /// Ends the report and gives what changed as events of protocol B.
    func closeReport(_ change: (UInt16, Int32) -> Void) {
        var contactsLeft = Self.greatestCount
        var rest = report[...]
        while let end = rest.firstIndex(where: { $0.type == EventType.synchronization }) {
            let contact = rest[rest.startIndex...end]
            rest = rest[(end + 1)...]
            let isKnown = contactsLeft > 0 && isComplete(contact)
            if isKnown { contactsLeft -= 1 }
            for event in contact where isKnown || event.type != EventType.absolute {
                put(event.type, event.code, event.value)
            }
        }
        // What no SYN_MT_REPORT ends is no contact.
        for event in rest where event.type != EventType.absolute { put(event.type, event.code, event.value) }
        report.removeAll(keepingCapacity: true)
        put(EventType.synchronization, SynCode.report, 0)
        var event = input_event()
        while mtdev_empty(device) == 0 {
            mtdev_get_event(device, &event)
            if event.type == EventType.absolute { change(event.code, event.value) }
        }
    }

    /// Whether libmtdev can use a contact: it wants both coordinates, and reads memory it never wrote where a device that
    /// has tracking ids leaves one out.
    private func isComplete(_ contact: ArraySlice<InputEvent>) -> Bool {
        contact.contains { $0.code == AbsCode.positionX && $0.type == EventType.absolute }
            && contact.contains { $0.code == AbsCode.positionY && $0.type == EventType.absolute }
            && (!hasTrackingIDs || contact.contains { $0.code == AbsCode.trackingID && $0.type == EventType.absolute })
    }

    /// Forgets what came since the last report, which is incomplete.
    func discardReport() { report.removeAll(keepingCapacity: true) }

    private func put(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        var event = input_event()
        event.type = type
        event.code = code
        event.value = value
        mtdev_put_event(device, &event)
    }
}
