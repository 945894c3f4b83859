import Evdev
import Glibc
import MockedInput

/// A finger on a machine that is suspended, and one whose clock is only set; each fact is a line.
///
/// It uses the kernel's own suspend test, because nothing can wake a virtual machine: at the level `core` the kernel
/// stops devices, processors and clocks, waits five seconds and starts them again
/// (Documentation/power/basic-pm-debugging.rst).
enum KernelResume {
    static func run() throws {
        var slept: [Duration] = []
        let scene = try Scene(onResume: { slept.append($0) })
        var device: VirtualDevice? = try VirtualDevice.panel()
        let path = device?.path ?? ""
        let seen = try scene.seen(of: try scene.awaitArrival(of: path))
        try device?.report([(AbsCode.trackingID, 1), (AbsCode.positionX, 10)])
        try scene.wait("no touch began") { seen.began == 1 }

        // The wall clock is set forwards and back; the kernel reports both in the same way as a resume.
        for seconds in [1000, -1000] { try setClock(by: seconds) }
        scene.read()
        usleep(200_000)
        scene.read()
        print("resumes after the clock was set\t\(slept.count)")
        print("cancelled after the clock was set\t\(seen.cancelled)")

        try write("core", to: "/sys/power/pm_test")
        try write("mem", to: "/sys/power/state")
        try scene.wait("no resume") { !slept.isEmpty && seen.cancelled > 0 }
        print("resumes\t\(slept.count)")
        // The kernel's test waits for 5 s, on an emulated clock that a busy host delays.
        print("slept at least 1 s\t\((slept.first ?? .zero) >= .seconds(1))")
        print("cancelled\t\(seen.cancelled)")

        try device?.report([(AbsCode.trackingID, -1)])
        try device?.report([(AbsCode.trackingID, 2), (AbsCode.positionX, 20)])
        try scene.wait("no second touch began") { seen.began == 2 }
        try device?.report([(AbsCode.trackingID, -1)])
        try scene.wait("the second touch did not end") { seen.ended > 0 }
        device = nil
        try scene.awaitRemoval(of: path)
        print("began\t\(seen.began)")
        print("ended\t\(seen.ended)")
        print("cancelled in all\t\(seen.cancelled)")
        print("mistakes\t\(seen.mistakes)")
        let changes = scene.changes(of: path).map { EvdevProbe.line(of: $0).prefix { $0 != " " } }
        print("changes\t\(changes.joined(separator: ", "))")
    }

    private static func setClock(by seconds: Int) throws {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        time.tv_sec += seconds
        guard clock_settime(CLOCK_REALTIME, &time) == 0 else { throw TestBed.Failure.last("clock_settime") }
    }

    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let count = Glibc.write(descriptor, text, text.utf8.count)
        if count != text.utf8.count { throw TestBed.Failure.last(path) }
    }
}
