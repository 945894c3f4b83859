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

    /// libmtdev's buffer holds 512 events; a report with more has more contacts than its 32 slots.
    private static let greatestReport = 500

    /// - Parameter liftsAtZeroMajor: whether a contact reported with `ABS_MT_TOUCH_MAJOR` 0 is lifted, as old drivers
    ///   mean it and libmtdev reads it. The kernel's text does not say so.
    init(_ description: DeviceDescription, liftsAtZeroMajor: Bool) {
        guard let device = mtdev_new(), mtdev_init(device) == 0 else { fatalError("out of memory") }
        self.device = device
        self.liftsAtZeroMajor = liftsAtZeroMajor
        let axes = description[EventType.absolute]
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
        for event in report { put(event.type, event.code, event.value) }
        report.removeAll(keepingCapacity: true)
        put(EventType.synchronization, SynCode.report, 0)
        var event = input_event()
        while mtdev_empty(device) == 0 {
            mtdev_get_event(device, &event)
            if event.type == EventType.absolute { change(event.code, event.value) }
        }
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
