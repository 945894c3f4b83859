import CLibevdev
import Evdev
import Glibc

/// A uinput device that exists from `init` to `destroy`; every event is one write.
final class VirtualDevice {
    /// Its node: `/dev/input/event…`.
    let node: String

    private let name: String
    private var uinput: OpaquePointer?
    private let axes: [UInt16: AxisInfo]
    private let hasTouchButton: Bool
    private let slots: Int32
    private var fingers: [Int32: Finger] = [:]
    private var nextTrackingID: Int32 = 0

    private struct Finger {
        var trackingID: Int32
        var x: Int32
        var y: Int32
    }

    /// Creates the device; needs permission to write to `/dev/uinput`.
    init(name: String, _ description: DeviceDescription) throws(PlayError) {
        self.name = name
        axes = description.axes
        hasTouchButton = description[UInt16(EV_KEY)].contains(UInt16(BTN_TOUCH))
        slots = axes[UInt16(ABS_MT_SLOT)].map { $0.maximum + 1 } ?? 0

        guard let model = libevdev_new() else { throw .system(what: "libevdev_new", reason: "out of memory") }
        defer { libevdev_free(model) }
        libevdev_set_name(model, description.name)
        libevdev_set_id_bustype(model, Int32(description.bus))
        libevdev_set_id_vendor(model, Int32(description.vendor))
        libevdev_set_id_product(model, Int32(description.product))
        libevdev_set_id_version(model, Int32(description.version))
        for property in description.properties.codes { libevdev_enable_property(model, UInt32(property)) }
        for type in [EV_KEY, EV_REL, EV_MSC, EV_SW, EV_LED].map({ UInt16($0) }) {
            for code in description[type].codes { libevdev_enable_event_code(model, UInt32(type), UInt32(code), nil) }
        }
        for (code, axis) in description.axes {
            var information = input_absinfo(
                value: axis.value, minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
                resolution: axis.resolution)
            libevdev_enable_event_code(model, UInt32(EV_ABS), UInt32(code), &information)
        }
        let managed = LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue
        let result = libevdev_uinput_create_from_device(model, managed, &uinput)
        guard result == 0 else {
            throw .system(what: "cannot make a device through /dev/uinput", reason: String(cString: strerror(-result)))
        }
        guard let path = libevdev_uinput_get_devnode(uinput) else {
            throw .system(what: "libevdev_uinput_get_devnode", reason: "the kernel made no event node")
        }
        node = String(cString: path)
    }

    deinit { destroy() }

    /// Unplugs the device with everything on it.
    func destroy() {
        if let uinput { libevdev_uinput_destroy(uinput) }
        uinput = nil
    }

    /// Writes one event.
    func send(type: Int32, code: Int32, value: Int32) throws(PlayError) {
        let result = libevdev_uinput_write_event(uinput, UInt32(type), UInt32(code), value)
        guard result == 0 else {
            throw .system(what: "cannot write an event to \(node)", reason: String(cString: strerror(-result)))
        }
    }

    /// Puts a finger down in a free slot, at a position in the device's own units.
    func down(slot: Int32, x: Int32, y: Int32) throws(PlayError) {
        guard 0..<slots ~= slot, fingers[slot] == nil else { throw .slot(Int(slot), device: name) }
        fingers[slot] = Finger(trackingID: nextTrackingID, x: x, y: y)
        try select(slot)
        try send(type: EV_ABS, code: ABS_MT_TRACKING_ID, value: nextTrackingID)
        nextTrackingID = (nextTrackingID + 1) & 0xffff
        try place(x: x, y: y)
    }

    /// Moves the finger in a slot.
    func move(slot: Int32, x: Int32, y: Int32) throws(PlayError) {
        guard fingers[slot] != nil else { throw .slot(Int(slot), device: name) }
        fingers[slot]?.x = x
        fingers[slot]?.y = y
        try select(slot)
        try place(x: x, y: y)
    }

    /// Lifts the finger in a slot.
    func up(slot: Int32) throws(PlayError) {
        guard fingers.removeValue(forKey: slot) != nil else { throw .slot(Int(slot), device: name) }
        try select(slot)
        try send(type: EV_ABS, code: ABS_MT_TRACKING_ID, value: -1)
    }

    /// Moves the finger in a slot back and forth, one frame each, as fast as the kernel accepts it.
    func flood(slot: Int32, frames: Int32) throws(PlayError) {
        guard let finger = fingers[slot] else { throw .slot(Int(slot), device: name) }
        for step in 0..<frames {
            try move(slot: slot, x: finger.x + step % 2, y: finger.y)
            try frame()
        }
    }

    /// Ends a frame.
    ///
    /// Before it, a multi-touch device sends the single-touch events of its oldest finger, like the kernel's
    /// `input_mt_report_pointer_emulation` for real devices.
    func frame() throws(PlayError) {
        if slots > 0 {
            if hasTouchButton { try send(type: EV_KEY, code: BTN_TOUCH, value: fingers.isEmpty ? 0 : 1) }
            if let oldest = fingers.values.min(by: { $0.trackingID < $1.trackingID }) {
                if axes[UInt16(ABS_X)] != nil { try send(type: EV_ABS, code: ABS_X, value: oldest.x) }
                if axes[UInt16(ABS_Y)] != nil { try send(type: EV_ABS, code: ABS_Y, value: oldest.y) }
            }
        }
        try send(type: EV_SYN, code: SYN_REPORT, value: 0)
    }

    private func select(_ slot: Int32) throws(PlayError) {
        try send(type: EV_ABS, code: ABS_MT_SLOT, value: slot)
    }

    private func place(x: Int32, y: Int32) throws(PlayError) {
        try send(type: EV_ABS, code: ABS_MT_POSITION_X, value: x)
        try send(type: EV_ABS, code: ABS_MT_POSITION_Y, value: y)
    }
}
