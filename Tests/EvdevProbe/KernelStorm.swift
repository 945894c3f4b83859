import CLinux
import Evdev
import Glibc

/// Extreme events of a ten-finger panel, sent to the kernel.
enum KernelStorm {
    /// Ten fingers report a thousand times a second for ten seconds, while the loop repeatedly skips 200 ms, which is
    /// 200 reports.
    static func run() throws {
        let scene = try Scene()
        var device: UinputDevice? = try UinputDevice(panel)
        let path = device?.path ?? ""
        let info = try scene.awaitArrival(of: path)
        let seen = try scene.seen(of: info)
        let other = try RawReader(path)
        var ids = [Int32](repeating: -1, count: 10)
        var nextID: Int32 = 0
        for report in 0..<10_000 {
            for slot in ids.indices {
                device?.send(ABS_MT_SLOT, Int32(slot))
                // Every finger is lifted or put down occasionally, all at different times.
                if (report + slot * 37) % 211 == 0 {
                    ids[slot] = ids[slot] < 0 ? nextID : -1
                    nextID += 1
                    device?.send(ABS_MT_TRACKING_ID, ids[slot])
                }
                if ids[slot] >= 0 {
                    device?.send(ABS_MT_POSITION_X, Int32((report * 7 + slot * 100) % 1000))
                    device?.send(ABS_MT_POSITION_Y, Int32((report * 3 + slot * 90) % 1000))
                }
            }
            device?.report()
            if report % 200 == 199 {
                scene.read()
                other.read()
            }
        }
        let kernel = try device?.trackingIDs() ?? []
        print("frames\t\(seen.frames.count)")
        print("dropped\t\(other.dropped)")
        print("slots of the kernel\t\(kernel)")
        print("slots of the frames\t\(kernel.indices.map { seen.bySlot[Int32($0)] ?? -1 })")
        device = nil
        try scene.awaitRemoval(of: [path])
        report(seen)
    }

    /// A driver that gives a slot a new tracking id without -1 between.
    static func replace() throws {
        let scene = try Scene()
        var device: UinputDevice? = try UinputDevice(panel)
        let path = device?.path ?? ""
        let info = try scene.awaitArrival(of: path)
        let seen = try scene.seen(of: info)
        for id in Int32(5)...8 {
            device?.send(ABS_MT_TRACKING_ID, id)
            device?.send(ABS_MT_POSITION_X, id * 10)
            device?.send(ABS_MT_POSITION_Y, id)
            device?.report()
            scene.read()
        }
        device?.send(ABS_MT_TRACKING_ID, -1)
        device?.report()
        scene.read()
        device = nil
        try scene.awaitRemoval(of: [path])
        for contact in seen.frames.flatMap(\.contacts) {
            print("\(contact.phase) \(contact.id) id \(contact.trackingID) at \(contact.raw.x),\(contact.raw.y)")
        }
        report(seen)
    }

    /// Makes udevd announce a device again, unchanged, while a finger is down on it.
    static func trigger() throws {
        let scene = try Scene()
        var device: UinputDevice? = try UinputDevice(panel)
        guard let path = device?.path else { return }
        let seen = try scene.seen(of: try scene.awaitArrival(of: path))
        device?.send(ABS_MT_TRACKING_ID, 5)
        device?.send(ABS_MT_POSITION_X, 100)
        device?.report()
        scene.read()
        print("udevadm\t\(system("udevadm trigger --settle --action=change --name-match=\(path)"))")
        scene.read()
        device?.send(ABS_MT_TRACKING_ID, -1)
        device?.report()
        scene.read()
        device = nil
        try scene.awaitRemoval(of: [path])
        report(seen)
    }

    private static func report(_ seen: Seen) {
        print("began\t\(seen.began)")
        print("ended\t\(seen.ended)")
        print("cancelled\t\(seen.cancelled)")
        print("down\t\(seen.down.count)")
        print("mistakes\t\(seen.mistakes)")
    }

    static var panel: DeviceDescription {
        var panel = DeviceDescription(name: "probe panel", bus: 3, vendor: 1, product: 2)
        panel.properties.insert(UInt16(INPUT_PROP_DIRECT))
        panel[UInt16(EV_KEY)].insert(UInt16(BTN_TOUCH))
        panel.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9))
        panel.insertAxis(UInt16(ABS_MT_TRACKING_ID), AxisInfo(minimum: 0, maximum: 65535))
        panel.insertAxis(UInt16(ABS_MT_POSITION_X), AxisInfo(minimum: 0, maximum: 999))
        panel.insertAxis(UInt16(ABS_MT_POSITION_Y), AxisInfo(minimum: 0, maximum: 999))
        return panel
    }
}
