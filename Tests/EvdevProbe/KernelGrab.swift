import CLinux
import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop
import Glibc
import MockedInput

/// Grabbing a device with a real kernel; each change and each result is a line.
enum KernelGrab {
    /// Another program has grabbed the device before touchd, releases it, and then tries again.
    static func run() throws {
        let device = try UinputDevice(KernelStorm.panel)
        let other = open(device.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if other < 0 { throw TestBed.Failure(message: "\(device.path): \(String(cString: strerror(errno)))") }
        defer { close(other) }
        print("other grabs: \(grab(other))")

        var rule = DeviceRule(label: "ours alone", match: .init(path: Pattern(device.path)))
        rule.grabs = true
        let loop = try EpollRunLoop()
        var isTold = false
        var seen = 0
        var reopen: () -> Void = {}
        let monitor = DeviceMonitor(
            loop: loop, rules: [rule],
            onFrame: { _ in
                seen += 1
                if seen == 1 { reopen() }
            },
            onChange: { change in
                switch change {
                case .notGrabbed(let info, _) where info.path == device.path: isTold = true
                case .added(let info) where info.path == device.path: isTold = true
                default: return
                }
                print(EvdevProbe.line(of: change).replacing(device.path, with: "PATH"))
            })
        reopen = { do { try monitor.reopen() } catch { print("\(error)") } }
        try monitor.start()
        let limit = Deadline.after(.seconds(600))
        while !isTold, loop.run(mode: .default, until: limit, returnAfterSourceHandled: true) == .handledSource {}

        func held(_ when: String) {
            monitor.testGrabs()
            print("held \(when): \(monitor.devices.contains { $0.path == device.path && $0.isHeld })")
        }
        print("held at start: \(monitor.devices.contains { $0.path == device.path && $0.isHeld })")
        print("other lets go: \(ungrab(other))")
        held("after that")
        print("other grabs: \(grab(other))")
        held("then")
        print("other lets go: \(ungrab(other))")
        reopen()
        held("by touchd itself")
        print("other grabs: \(grab(other))")
        device.send(ABS_MT_TRACKING_ID, 1)
        device.report()
        while seen == 0, loop.run(mode: .default, until: limit, returnAfterSourceHandled: true) == .handledSource {}
        print("other grabs after a handler opened it again: \(grab(other))")
        monitor.stop()
        print("other grabs: \(grab(other))")
    }

    private static func grab(_ descriptor: Int32) -> String { ask(descriptor, 1) }
    private static func ungrab(_ descriptor: Int32) -> String { ask(descriptor, 0) }

    /// `EVIOCGRAB` is a macro that Swift cannot import: `_IOW('E', 0x90, int)`.
    private static func ask(_ descriptor: Int32, _ value: Int32) -> String {
        ioctl(descriptor, 0x4004_4590, value) == 0 ? "yes" : String(cString: strerror(errno))
    }
}
