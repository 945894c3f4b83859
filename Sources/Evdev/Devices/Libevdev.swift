import Basics
import CLibevdev
import CLinux
import Glibc

/// An open event node and its libevdev context; closes both.
final class Libevdev {
    /// The result of a read.
    enum ReadResult {
        case event
        /// The kernel's buffer overflowed: `nextDifference()` returns the changes.
        case dropped
        /// No event is queued.
        case empty
        /// The device was removed or failed, with the error number.
        case failed(errno: Int32)
    }

    let path: String
    let descriptor: Int32
    /// Why the events do not have the times of `CLOCK_MONOTONIC`; nil if they have.
    let clockError: String?
    private let handle: OpaquePointer
    /// The tracking id that libevdev discarded in the current read.
    private let discarded: UnsafeMutablePointer<discarded_id>
    /// What was read together with a discarded tracking id, which comes before it.
    private var held: (result: ReadResult, event: InputEvent)?

    /// Opens a node for nonblocking reading, with timestamps on `CLOCK_MONOTONIC`.
    init(path: String) throws(DeviceError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { throw Self.openError(path, errno) }
        var handle: OpaquePointer?
        let status = libevdev_new_from_fd(descriptor, &handle)
        guard status == 0, let handle else {
            close(descriptor)
            // The kernel's answer of a file that is no event node.
            let isOther = [ENOTTY, EINVAL].contains(-status)
            throw .failed(
                path: path, call: isOther ? "not an input device" : "libevdev_new_from_fd",
                reason: isOther ? "'touchd devices' lists them" : ErrorText.of(-status))
        }
        self.handle = handle
        discarded = .allocate(capacity: 1)
        discarded.initialize(to: discarded_id())
        libevdev_watch_discarded(handle, discarded)
        // Kernels since 3.4 support the clock. Touches are read without it, too.
        let clockStatus = libevdev_set_clock_id(handle, CLOCK_MONOTONIC)
        clockError = clockStatus == 0 ? nil : ErrorText.of(-clockStatus)
    }

    deinit {
        libevdev_free(handle)
        discarded.deallocate()
        close(descriptor)
    }

    /// Reads the next queued event into `event`.
    ///
    /// libevdev discards a tracking id that replaces another without -1 between them. The kernel's documentation allows
    /// it, so the event is passed on.
    func nextEvent(into event: inout InputEvent) -> ReadResult {
        if let held {
            self.held = nil
            event = held.event
            return held.result
        }
        let result = read(UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), into: &event)
        guard discarded.pointee.is_set else { return result }
        discarded.pointee.is_set = false
        held = (result, event)
        (event.type, event.code, event.value) = (EventType.absolute, AbsCode.trackingID, discarded.pointee.id)
        return .event
    }

    /// After `.dropped`: the next difference between the reported state and the kernel's; `.empty` at the end.
    func nextDifference(into event: inout InputEvent) -> ReadResult {
        let result = read(UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue), into: &event)
        // libevdev passes on the result of the failed query of the slots, which is -1, unless the device has keys.
        if case .failed(errno: 1) = result, !hasSlots { return .empty }
        return result
    }

    /// Whether the kernel keeps slots for the device, as not for drivers that announce them without initializing them.
    private(set) lazy var hasSlots = input_has_slots(descriptor) != 0

    private func read(_ flags: UInt32, into event: inout InputEvent) -> ReadResult {
        var raw = input_event()
        while true {
            let status = libevdev_next_event(handle, flags, &raw)
            switch status {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                event = InputEvent(raw)
                return .event
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
                // In normal mode this is the SYN_DROPPED event itself; in sync mode, one of the differences.
                guard flags == UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue) else { return .dropped }
                event = InputEvent(raw)
                return .event
            case -EAGAIN: return .empty
            case -EINTR: continue
            default: return .failed(errno: -status)
            }
        }
    }

    /// Whether this object has grabbed the device.
    private(set) var isGrabbed = false

    /// Whether another process has grabbed the device, so that only that process gets its events.
    ///
    /// The kernel reports this only in response to a grab (EBUSY). A successful grab is released immediately.
    var isHeldByAnother: Bool {
        if isGrabbed { return false }
        if grab_input(descriptor, 1) == 0 {
            _ = grab_input(descriptor, 0)
            return false
        }
        return errno == EBUSY
    }

    /// Grabs the device (`EVIOCGRAB`) until the node is closed; returns the error, if any.
    func grab() -> DeviceError? {
        // Not libevdev_grab(), which remembers a grab that another descriptor of this open node has released.
        isGrabbed = grab_input(descriptor, 1) == 0
        return isGrabbed ? nil : .notGrabbed(path: path, reason: ErrorText.of(errno))
    }

    /// Releases the grab; does nothing if the device was not grabbed.
    func ungrab() {
        if isGrabbed { _ = grab_input(descriptor, 0) }
        isGrabbed = false
    }

    /// Whether the kernel knows of a contact that is down now.
    var hasContact: Bool { input_has_contact(descriptor) != 0 }

    /// Whether something is plugged into its headphone jack.
    var hasHeadphones: Bool {
        libevdev_get_event_value(handle, UInt32(EventType.switches), UInt32(SwitchCode.headphones)) != 0
    }

    /// The device's current description of itself, with what it holds now.
    var description: DeviceDescription {
        var description = DeviceDescription(
            name: Self.string(libevdev_get_name(handle)),
            bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(handle)),
            vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(handle)),
            product: UInt16(truncatingIfNeeded: libevdev_get_id_product(handle)),
            version: UInt16(truncatingIfNeeded: libevdev_get_id_version(handle)),
            physicalPath: Self.string(libevdev_get_phys(handle)), uniqueName: Self.string(libevdev_get_uniq(handle)))
        for property in 0...UInt32(INPUT_PROP_MAX) where libevdev_has_property(handle, property) != 0 {
            description.properties.insert(UInt16(property))
        }
        for type in [EV_SYN, EV_KEY, EV_REL, EV_ABS, EV_MSC, EV_SW].map({ UInt32($0) }) {
            let last = libevdev_event_type_get_max(type)
            guard last >= 0, libevdev_has_event_type(handle, type) != 0 else { continue }
            for code in 0...UInt32(last) where libevdev_has_event_code(handle, type, code) != 0 {
                description[UInt16(type)].insert(UInt16(code))
                if type == UInt32(EV_ABS), let info = libevdev_get_abs_info(handle, code) {
                    description.insertAxis(UInt16(code), AxisInfo(info.pointee))
                }
            }
        }
        if description.axes[AbsCode.slot] != nil {
            description.axes[AbsCode.slot]?.value = libevdev_get_current_slot(handle)
        }
        description.slots = slots
        for key in description[EventType.key].codes
        where libevdev_get_event_value(handle, UInt32(EV_KEY), UInt32(key)) != 0 {
            description.pressedKeys.insert(key)
        }
        return description
    }

    /// The current content of each slot of protocol B.
    var slots: [SlotContent] {
        (0..<UInt32(max(libevdev_get_num_slots(handle), 0))).map { slot in
            var content = SlotContent()
            content.trackingID = libevdev_get_slot_value(handle, slot, UInt32(ABS_MT_TRACKING_ID))
            for axis in ContactAxes.codes {
                content.axes[keyPath: axis.value] = libevdev_get_slot_value(handle, slot, UInt32(axis.code))
            }
            return content
        }
    }

    private static func openError(_ path: String, _ number: Int32) -> DeviceError {
        guard number == EACCES || number == EPERM else {
            return .failed(path: path, call: "open", reason: ErrorText.of(number))
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IRGRP != 0, status.st_gid != 0 else {
            return .notPermitted(path: path, group: nil)
        }
        return .notPermitted(path: path, group: getgrgid(status.st_gid).map { string($0.pointee.gr_name) })
    }

    /// The error for a read that failed with an error number.
    func readError(_ number: Int32) -> DeviceError {
        number == ENODEV ? .unplugged(path: path) : .failed(path: path, call: "read", reason: ErrorText.of(number))
    }

    private static func string(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
}

extension InputEvent {
    /// The kernel's `struct input_event`.
    init(_ event: input_event) {
        self.init(
            type: event.type, code: event.code, value: event.value,
            // Wrapping arithmetic, because an invalid time from a driver must not crash the process.
            time: InputTimestamp(microseconds: Int64(event.time.tv_sec) &* 1_000_000 &+ Int64(event.time.tv_usec)))
    }
}

extension AxisInfo {
    fileprivate init(_ info: input_absinfo) {
        self.init(
            minimum: info.minimum, maximum: info.maximum, fuzz: info.fuzz, flat: info.flat,
            resolution: info.resolution, value: info.value)
    }
}
