import CLibevdev
import CLinux
import Glibc

/// A touchscreen of the kernel's uinput; it is there until the process ends.
final class Panel {
    struct Failure: Error { var message: String }
    enum Change { case down, move, up }

    /// The number of units, the units between two positions, and the number of distinct positions.
    static let units = 32_768
    static let step = 8
    static let places = 4_000

    let node: String
    private let fingers: Int32
    private let uinput: OpaquePointer
    /// The panel's own node, from which the kernel's stamps are read.
    private let reader: Int32
    private var events: [input_event] = []
    private var trackingID: Int32 = 0
    private var isUp = true

    init(fingers: Int32) throws {
        self.fingers = fingers
        guard let model = libevdev_new() else { throw Failure(message: "out of memory") }
        defer { libevdev_free(model) }
        libevdev_set_name(model, "Bench panel")
        libevdev_set_id_bustype(model, BUS_USB)
        libevdev_enable_property(model, UInt32(INPUT_PROP_DIRECT))
        libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(BTN_TOUCH), nil)
        for (code, maximum) in [
            (ABS_X, Self.units - 1), (ABS_Y, Self.units - 1), (ABS_MT_POSITION_X, Self.units - 1),
            (ABS_MT_POSITION_Y, Self.units - 1), (ABS_MT_SLOT, 9), (ABS_MT_TRACKING_ID, 65_535),
        ] {
            var axis = input_absinfo(
                value: 0, minimum: 0, maximum: Int32(maximum), fuzz: 0, flat: 0,
                resolution: code == ABS_MT_SLOT ? 0 : 64)
            libevdev_enable_event_code(model, UInt32(EV_ABS), UInt32(code), &axis)
        }
        var made: OpaquePointer?
        let status = libevdev_uinput_create_from_device(model, LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue, &made)
        guard status == 0, let made, let path = libevdev_uinput_get_devnode(made) else {
            throw Failure(message: "no device of uinput: \(String(cString: strerror(-status)))")
        }
        uinput = made
        node = String(cString: path)
        reader = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        var clock = CLOCK_MONOTONIC
        // EVIOCSCLOCKID, a macro that Swift cannot import.
        guard reader >= 0, ioctl(reader, 0x4004_45a0, &clock) == 0 else {
            throw Failure(message: "\(node): \(String(cString: strerror(errno)))")
        }
    }

    /// Which place a part of the panel's width is.
    static func place(part: Double) -> Int { Int((part * Double(units) / Double(step)).rounded()) }

    /// A finger down and up, apart from the work, and at another position: the kernel reports only changes.
    func tap() throws {
        _ = try frame(.down, place: Self.places)
        _ = try frame(.up, place: 0)
    }

    /// Has all fingers do the same at once, by one write, as a driver reports a frame; answers the kernel's stamp of it.
    func frame(_ change: Change, place: Int) throws -> Int64 {
        events.removeAll(keepingCapacity: true)
        let x = Int32(place * Self.step)
        for slot in 0..<fingers {
            add(EV_ABS, ABS_MT_SLOT, slot)
            if change == .up {
                add(EV_ABS, ABS_MT_TRACKING_ID, -1)
                continue
            }
            if change == .down {
                trackingID = (trackingID + 1) % 65_536
                add(EV_ABS, ABS_MT_TRACKING_ID, trackingID)
            }
            add(EV_ABS, ABS_MT_POSITION_X, x)
            add(EV_ABS, ABS_MT_POSITION_Y, (slot + 1) * 2_900 + x % 64)
        }
        if change != .move { add(EV_KEY, BTN_TOUCH, change == .down ? 1 : 0) }
        if change != .up {
            add(EV_ABS, ABS_X, x)
            add(EV_ABS, ABS_Y, 2_900 + x % 64)
        }
        add(EV_SYN, SYN_REPORT, 0)
        let size = events.count * MemoryLayout<input_event>.stride
        guard write(libevdev_uinput_get_fd(uinput), events, size) == size else {
            throw Failure(message: "uinput did not take a frame: \(String(cString: strerror(errno)))")
        }
        return try stamp()
    }

    private func add(_ type: Int32, _ code: Int32, _ value: Int32) {
        var event = input_event()
        (event.type, event.code, event.value) = (UInt16(type), UInt16(code), value)
        events.append(event)
    }

    /// Reads what the kernel made of the frame; all its events bear one time.
    private func stamp() throws -> Int64 {
        var event = input_event()
        var stamp: Int64?
        while read(reader, &event, MemoryLayout<input_event>.size) > 0 {
            stamp = Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1000
        }
        guard let stamp else { throw Failure(message: "the kernel made no event of a frame") }
        return stamp
    }
}
