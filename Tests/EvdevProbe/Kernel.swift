import CLinux
import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop

/// What is proved with a real kernel: `EvdevProbe --uinput EVENTS [DESCRIPTION]` plays a recording through uinput,
/// `--storm` overflows the kernel's buffer, `--replaced` changes tracking ids without lifting.
enum Kernel {
    /// Prints `agrees` if the frames that come through the kernel are, but for their times, those of the recording.
    static func play(_ events: String, _ description: String?, expecting decoded: [String]) throws {
        var reader = try RecordingReader(path: events, description: description)
        let seen = Seen()
        let scene = try Scene(reader.description, seen)
        var hasMore = true
        while hasMore {
            while true {
                guard let event = try reader.next() else {
                    hasMore = false
                    break
                }
                scene.device?.send(event.type, event.code, event.value)
                if event.type == UInt16(EV_SYN), event.code == UInt16(SYN_REPORT) { break }
            }
            scene.read()
        }
        scene.unplug()
        let expected = decoded.map { $0.drop { $0 != ";" } }
        let came = seen.lines.map { $0.drop { $0 != ";" } }
        if expected == came {
            print("agrees: \(came.count) frames, \(seen.began) contacts")
        } else {
            let first = zip(expected, came).first { $0 != $1 }
            print("differs: \(came.count) frames of \(expected.count); \(first.map { "\($0) | \($1)" } ?? "")")
        }
    }

    /// Ten fingers a thousand times a second for ten seconds, of which the loop sees nothing for 200 ms at a time.
    static func storm() throws {
        let seen = Seen()
        let scene = try Scene(panel, seen)
        var ids = [Int32](repeating: -1, count: 10)
        var nextID: Int32 = 0
        for report in 0..<10_000 {
            for slot in ids.indices {
                scene.send(ABS_MT_SLOT, Int32(slot))
                // Every finger is lifted or put down now and then, all at different times.
                if (report + slot * 37) % 211 == 0 {
                    ids[slot] = ids[slot] < 0 ? nextID : -1
                    nextID += 1
                    scene.send(ABS_MT_TRACKING_ID, ids[slot])
                }
                if ids[slot] >= 0 {
                    scene.send(ABS_MT_POSITION_X, Int32((report * 7 + slot * 100) % 1000))
                    scene.send(ABS_MT_POSITION_Y, Int32((report * 3 + slot * 90) % 1000))
                }
            }
            scene.report()
            if report % 200 == 199 { scene.read() }
        }
        scene.read()
        let kernel = try scene.device?.trackingIDs() ?? []
        let state = kernel.indices.map { seen.bySlot[Int32($0)] ?? -1 }
        print("began \(seen.began), ended \(seen.ended), down \(seen.down.count), mistakes \(seen.mistakes)")
        print(state == kernel ? "the state is the kernel's: \(kernel)" : "\(state) is not the kernel's: \(kernel)")
        scene.unplug()
        print("after unplugging: cancelled \(seen.cancelled), down \(seen.down.count), mistakes \(seen.mistakes)")
    }

    /// A driver that gives a slot a new tracking id without -1 between.
    static func replaced() throws {
        let seen = Seen()
        let scene = try Scene(panel, seen)
        for id in Int32(5)...8 {
            scene.send(ABS_MT_TRACKING_ID, id)
            scene.send(ABS_MT_POSITION_X, id * 10)
            scene.send(ABS_MT_POSITION_Y, id)
            scene.report()
            scene.read()
        }
        scene.send(ABS_MT_TRACKING_ID, -1)
        scene.report()
        scene.read()
        for line in seen.lines { print(line.drop { $0 != ";" }.dropFirst(2)) }
        print("began \(seen.began), ended \(seen.ended), down \(seen.down.count), mistakes \(seen.mistakes)")
    }

    private static var panel: DeviceDescription {
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

/// What came, and whether every contact began and ended once.
final class Seen {
    var lines: [String] = []
    var began = 0
    var ended = 0
    var cancelled = 0
    var mistakes = 0
    var down: Set<UInt32> = []
    var bySlot: [Int32: Int32] = [:]
    var isGone = false

    func take(_ frame: borrowing InputFrame) {
        lines.append(EvdevProbe.line(of: frame))
        for contact in frame.contacts {
            switch contact.phase {
            case .began:
                began += 1
                if !down.insert(contact.id).inserted { mistakes += 1 }
                bySlot[contact.slot] = contact.trackingID
            case .moved: if !down.contains(contact.id) { mistakes += 1 }
            case .ended, .cancelled:
                if contact.phase == .ended { ended += 1 } else { cancelled += 1 }
                if down.remove(contact.id) == nil { mistakes += 1 }
                if bySlot[contact.slot] == contact.trackingID { bySlot[contact.slot] = nil }
            }
        }
    }
}

/// A uinput device, and a monitor that found it.
final class Scene {
    private(set) var device: UinputDevice?
    private let loop: EpollRunLoop
    private let monitor: DeviceMonitor
    private let seen: Seen

    init(_ description: DeviceDescription, _ seen: Seen) throws {
        loop = try EpollRunLoop()
        self.seen = seen
        let device = try UinputDevice(description)
        let path = device.path
        monitor = DeviceMonitor(
            loop: loop, onFrame: { seen.take($0) },
            onChange: { if case .removed(let info) = $0, info.path == path { seen.isGone = true } })
        self.device = device
        try monitor.start()
    }

    func send(_ code: Int32, _ value: Int32) { device?.send(UInt16(EV_ABS), UInt16(code), value) }
    func report() { device?.send(UInt16(EV_SYN), UInt16(SYN_REPORT), 0) }

    /// Has the loop read what is there now.
    func read() {
        while loop.run(mode: .default, until: .now, returnAfterSourceHandled: true) == .handledSource {}
    }

    /// Takes the device away and waits until the monitor has heard of it.
    func unplug() {
        device = nil
        while !seen.isGone { _ = loop.run(mode: .default, until: nil, returnAfterSourceHandled: true) }
        monitor.stop()
    }
}
