import CLibevdev
import CLinux
import Evdev
import Glibc
import MockedInput

/// A ten-finger panel that reports faster than it is read.
enum KernelStorm {
    /// Ten fingers report a thousand times a second for ten seconds, while the loop repeatedly skips 200 ms, which is
    /// 200 reports.
    static func run() throws {
        let scene = try Scene()
        var device: VirtualDevice? = try VirtualDevice.panel()
        let path = device?.path ?? ""
        let seen = try scene.seen(of: try scene.awaitArrival(of: path))
        let other = try openNode(path)
        defer { close(other) }
        var dropped = 0
        var ids = [Int32](repeating: -1, count: 10)
        var nextID: Int32 = 0
        for report in 0..<10_000 {
            var events: [(UInt16, Int32)] = []
            for slot in ids.indices {
                events.append((AbsCode.slot, Int32(slot)))
                // Every finger is lifted or put down occasionally, all at different times.
                if (report + slot * 37) % 211 == 0 {
                    ids[slot] = ids[slot] < 0 ? nextID : -1
                    nextID += 1
                    events.append((AbsCode.trackingID, ids[slot]))
                }
                if ids[slot] >= 0 {
                    events.append((AbsCode.positionX, Int32((report * 7 + slot * 100) % 1000)))
                    events.append((AbsCode.positionY, Int32((report * 3 + slot * 90) % 1000)))
                }
            }
            try device?.report(events)
            if report % 200 == 199 {
                scene.read()
                dropped += countDropped(other)
            }
        }
        let kernel = try trackingIDs(of: path)
        print("dropped\t\(dropped)")
        print("slots of the kernel\t\(kernel)")
        print("slots of the frames\t\(kernel.indices.map { seen.bySlot[Int32($0)] ?? -1 })")
        device = nil
        try scene.awaitRemoval(of: path)
        print("began\t\(seen.began)")
        print("ended\t\(seen.ended)")
        print("cancelled\t\(seen.cancelled)")
        print("down\t\(seen.down.count)")
        print("mistakes\t\(seen.mistakes)")
    }

    /// A driver that gives a slot a new tracking id without -1 between.
    static func replace() throws {
        let scene = try Scene()
        let device = try VirtualDevice.panel()
        let seen = try scene.seen(of: try scene.awaitArrival(of: device.path))
        for id in Int32(5)...8 {
            try device.report([(AbsCode.trackingID, id), (AbsCode.positionX, id * 10), (AbsCode.positionY, id)])
            scene.read()
        }
        try device.report([(AbsCode.trackingID, -1)])
        scene.read()
        for contact in seen.frames.flatMap(\.contacts) {
            print("\(contact.phase) \(contact.id) id \(contact.trackingID) at \(contact.raw.x),\(contact.raw.y)")
        }
    }

    /// Reads all waiting events; returns how often the kernel dropped some because they are read too late.
    private static func countDropped(_ descriptor: Int32) -> Int {
        var events = [input_event](repeating: input_event(), count: 64)
        let size = MemoryLayout<input_event>.stride
        var dropped = 0
        while case let count = Glibc.read(descriptor, &events, events.count * size), count > 0 {
            dropped += events.prefix(count / size).count {
                $0.type == EventType.synchronization && $0.code == SynCode.dropped
            }
        }
        return dropped
    }

    /// The kernel's tracking ids in the slots, -1 for an empty one.
    private static func trackingIDs(of path: String) throws -> [Int32] {
        let descriptor = try openNode(path)
        defer { close(descriptor) }
        var device: OpaquePointer?
        guard libevdev_new_from_fd(descriptor, &device) == 0, let device else {
            throw TestBed.Failure(message: "\(path) cannot be asked")
        }
        defer { libevdev_free(device) }
        return (0..<UInt32(max(libevdev_get_num_slots(device), 0))).map {
            libevdev_get_slot_value(device, $0, UInt32(AbsCode.trackingID))
        }
    }
}
