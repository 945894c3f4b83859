import CLinux
import Evdev
import Glibc
import MockedInput

/// Grabbing a device with a real kernel; each change and each result is a line.
enum KernelGrab {
    /// Another program has grabbed the device before touchd, releases it, and then tries again.
    static func run() throws {
        let device = try VirtualDevice.panel()
        let other = try openNode(device.path)
        defer { close(other) }
        print("other grabs: \(grab(other))")

        var rule = DeviceRule(label: "ours alone", match: .init(path: Pattern(device.path)))
        rule.grabs = true
        var frames = 0
        var reopen: () -> Void = {}
        let scene = try Scene(
            rules: [rule],
            onFrame: {
                frames += 1
                if frames == 1 { reopen() }
            },
            onChange: { change in
                guard change.info.path == device.path else { return }
                print(EvdevProbe.line(of: change).replacing(device.path, with: "PATH"))
            })
        reopen = { [unowned scene] in do { try scene.monitor.reopen() } catch { print(error) } }
        _ = try scene.awaitArrival(of: device.path)
        func isHeld() -> Bool { scene.monitor.devices.contains { $0.path == device.path && $0.isHeld } }
        func held(_ when: String) {
            scene.monitor.testGrabs()
            print("held \(when): \(isHeld())")
        }
        print("held at start: \(isHeld())")
        print("other lets go: \(grab(other, false))")
        held("after that")
        print("other grabs: \(grab(other))")
        held("then")
        print("other lets go: \(grab(other, false))")
        reopen()
        held("by touchd itself")
        print("other grabs: \(grab(other))")
        try device.report([(AbsCode.trackingID, 1)])
        try scene.wait("no frame") { frames > 0 }
        print("other grabs after a handler opened it again: \(grab(other))")
        scene.monitor.stop()
        print("other grabs: \(grab(other))")
    }

    /// `EVIOCGRAB` is a macro that Swift cannot import: `_IOW('E', 0x90, int)`.
    private static func grab(_ descriptor: Int32, _ grabs: Bool = true) -> String {
        ioctl(descriptor, 0x4004_4590, grabs ? 1 : 0) == 0 ? "yes" : String(cString: strerror(errno))
    }
}
