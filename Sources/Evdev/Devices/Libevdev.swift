import CLibevdev
import CLinux
import Glibc

/// An open event node and the libevdev that follows its state; closes both.
final class Libevdev {
    /// What a read answered.
    enum ReadResult {
        case event
        /// The kernel's buffer overflowed: `nextDifference()` tells what changed meanwhile.
        case dropped
        /// Nothing is queued now.
        case empty
        /// The device is gone or broken; the number is the system's.
        case failed(errno: Int32)
    }

    let path: String
    let descriptor: Int32
    private let handle: OpaquePointer
    /// Set by libevdev's log, which is the only place where it tells of an event it threw away.
    private let hasDiscarded: UnsafeMutablePointer<Bool>

    /// Opens a node for reading, without blocking, its times on `CLOCK_MONOTONIC`.
    init(path: String) throws(DeviceError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { throw Self.openError(path, errno) }
        var handle: OpaquePointer?
        let status = libevdev_new_from_fd(descriptor, &handle)
        guard status == 0, let handle else {
            close(descriptor)
            throw .failed(path: path, call: "libevdev_new_from_fd", reason: Self.text(-status))
        }
        self.handle = handle
        hasDiscarded = .allocate(capacity: 1)
        hasDiscarded.initialize(to: false)
        libevdev_set_device_log_function(handle, Self.log, LIBEVDEV_LOG_ERROR, hasDiscarded)
        // Every kernel since 3.4 knows the clock; one that does not, or umockdev, still has touches worth reading.
        libevdev_set_clock_id(handle, CLOCK_MONOTONIC)
    }

    deinit {
        libevdev_free(handle)
        hasDiscarded.deallocate()
        close(descriptor)
    }

    /// The next event the kernel has queued; written to `event` where there is one.
    ///
    /// libevdev throws away a tracking id that takes the place of another without -1 between. The kernel's text allows
    /// it, so then the kernel is asked for its state, as if events had been dropped.
    func nextEvent(into event: inout InputEvent) -> ReadResult {
        guard hasDiscarded.pointee else { return read(UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), into: &event) }
        hasDiscarded.pointee = false
        return read(UInt32(LIBEVDEV_READ_FLAG_FORCE_SYNC.rawValue), into: &event)
    }

    /// Takes libevdev's complaints about devices, which otherwise go to standard error, event by event.
    private static let log: libevdev_device_log_func_t = { _, _, data, _, _, _, format, arguments in
        guard let data, let format, let arguments else { return }
        var text = [CChar](repeating: 0, count: 256)
        vsnprintf(&text, text.count, format, arguments)
        let message = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        // A second -1 for an empty slot changes nothing.
        if message.contains("double tracking ID"), !message.contains("double tracking ID -1") {
            data.assumingMemoryBound(to: Bool.self).pointee = true
        }
    }

    /// After `.dropped`: the next difference between what was told and what the kernel's state is; `.empty` at the end.
    func nextDifference(into event: inout InputEvent) -> ReadResult {
        read(UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue), into: &event)
    }

    private func read(_ flags: UInt32, into event: inout InputEvent) -> ReadResult {
        var raw = input_event()
        while true {
            let status = libevdev_next_event(handle, flags, &raw)
            switch status {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                event = InputEvent(raw)
                return .event
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
                // In normal reading this is the SYN_DROPPED itself; in resynchronising, one of the differences.
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
    /// The kernel answers this only to a grab (EBUSY). A grab that succeeds is released at once.
    var isHeldByAnother: Bool {
        if isGrabbed { return false }
        let status = libevdev_grab(handle, LIBEVDEV_GRAB)
        if status == 0 { libevdev_grab(handle, LIBEVDEV_UNGRAB) }
        return status == -EBUSY
    }

    /// The tools that are in range or touch now, such as `BTN_TOOL_PEN`.
    var toolsInRange: [UInt16] {
        KeyCode.tools.filter { code in
            var value: Int32 = 0
            return libevdev_fetch_event_value(handle, UInt32(EV_KEY), UInt32(code), &value) != 0 && value != 0
        }
    }

    /// Keeps the events from everyone else (`EVIOCGRAB`), until the node is closed; answers why it cannot.
    func grab() -> DeviceError? {
        let status = libevdev_grab(handle, LIBEVDEV_GRAB)
        isGrabbed = status == 0
        return status == 0 ? nil : .notGrabbed(path: path, reason: Self.text(-status))
    }

    /// Lets others have the events again; nothing if the device was not grabbed.
    func ungrab() {
        libevdev_grab(handle, LIBEVDEV_UNGRAB)
        isGrabbed = false
    }

    /// What the device says of itself now.
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
        return description
    }

    /// What each slot of protocol B holds now: (slot, tracking id or -1, axes).
    var slots: [(slot: Int, trackingID: Int32, axes: ContactAxes)] {
        (0..<UInt32(max(libevdev_get_num_slots(handle), 0))).map { slot in
            var axes = ContactAxes()
            for code in AbsCode.touchMajor...AbsCode.multitouchLast {
                axes.set(code, to: libevdev_get_slot_value(handle, slot, UInt32(code)))
            }
            return (Int(slot), libevdev_get_slot_value(handle, slot, UInt32(ABS_MT_TRACKING_ID)), axes)
        }
    }

    private static func openError(_ path: String, _ number: Int32) -> DeviceError {
        guard number == EACCES || number == EPERM else {
            return .failed(path: path, call: "open", reason: text(number))
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IRGRP != 0, status.st_gid != 0 else {
            return .notPermitted(path: path, group: nil)
        }
        return .notPermitted(path: path, group: getgrgid(status.st_gid).map { string($0.pointee.gr_name) })
    }

    private static func string(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}

extension InputEvent {
    /// The kernel's `struct input_event`.
    init(_ event: input_event) {
        self.init(
            type: event.type, code: event.code, value: event.value,
            // Whatever a driver writes there: a clock that is wrong must not end the process.
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
