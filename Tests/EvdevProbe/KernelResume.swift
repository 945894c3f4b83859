import CLinux
import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop
import Glibc
import MockedInput

/// A finger on a machine that is suspended, and one whose clock is only set; each fact is a line.
///
/// It uses the kernel's own suspend test, because nothing can wake a virtual machine: at the level `core` the kernel
/// stops devices, processors and clocks, waits five seconds and starts them again
/// (Documentation/power/basic-pm-debugging.rst).
enum KernelResume {
    static func run() throws {
        var device: UinputDevice? = try UinputDevice(KernelStorm.panel)
        let path = device?.path ?? ""
        let loop = try EpollRunLoop()
        let seen = Seen()
        var slept: [Duration] = []
        var changes: [String] = []
        let monitor = DeviceMonitor(
            loop: loop, onFrame: { seen.record($0) },
            onChange: { change in
                switch change {
                case .added(let info) where info.path == path: changes.append("added")
                case .removed(let info) where info.path == path: changes.append("removed")
                default: break
                }
            },
            onResume: { slept.append($0) })
        try monitor.start()
        let limit = Deadline.after(.seconds(600))
        func wait(until condition: () -> Bool) throws {
            while !condition() {
                if loop.run(mode: .default, until: limit, returnAfterSourceHandled: true) != .handledSource {
                    throw TestBed.Failure(message: "nothing more came; changes \(changes), began \(seen.began)")
                }
            }
        }
        try wait { changes == ["added"] }
        device?.send(ABS_MT_TRACKING_ID, 1)
        device?.send(ABS_MT_POSITION_X, 10)
        device?.report()
        try wait { seen.began == 1 }

        // The wall clock is set forwards and back; the kernel reports both in the same way as a resume.
        for seconds in [1000, -1000] { try setClock(by: seconds) }
        while loop.run(mode: .default, until: .after(.milliseconds(200)), returnAfterSourceHandled: true)
            == .handledSource
        {}
        print("resumes after the clock was set\t\(slept.count)")
        print("cancelled after the clock was set\t\(seen.cancelled)")

        try write("core", to: "/sys/power/pm_test")
        try write("mem", to: "/sys/power/state")
        try wait { !slept.isEmpty && seen.cancelled > 0 }
        print("resumes\t\(slept.count)")
        // The kernel's test waits for 5 s, on an emulated clock that a busy host delays.
        print("slept at least 1 s\t\((slept.first ?? .zero) >= .seconds(1))")
        print("cancelled\t\(seen.cancelled)")

        device?.send(ABS_MT_TRACKING_ID, -1)
        device?.report()
        device?.send(ABS_MT_TRACKING_ID, 2)
        device?.send(ABS_MT_POSITION_X, 20)
        device?.report()
        try wait { seen.began == 2 }
        device?.send(ABS_MT_TRACKING_ID, -1)
        device?.report()
        try wait { seen.ended > 0 }
        device = nil
        try wait { changes.last == "removed" }
        monitor.stop()
        print("began\t\(seen.began)")
        print("ended\t\(seen.ended)")
        print("cancelled in all\t\(seen.cancelled)")
        print("mistakes\t\(seen.mistakes)")
        print("changes\t\(changes.joined(separator: ", "))")
    }

    private static func setClock(by seconds: Int) throws {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        time.tv_sec += seconds
        guard clock_settime(CLOCK_REALTIME, &time) == 0 else {
            throw TestBed.Failure(message: "clock_settime: \(String(cString: strerror(errno)))")
        }
    }

    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw TestBed.Failure(message: "\(path): \(String(cString: strerror(errno)))")
        }
    }
}
