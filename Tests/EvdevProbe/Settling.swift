import Dispatch  // the run loop drains its main queue
import Evdev
import Recordings
import EventLoop
import Glibc
import MockedInput

/// Shows the reports for two panels whose nodes only root may open at first, because udev sets their group later; one
/// is opened to everybody before the next try.
enum Settling {
    static func run(_ path: String) throws {
        // Root may open everything. The test bed is in TMPDIR, which root has created.
        if geteuid() == 0 {
            if let folder = getenv("TMPDIR") { chown(folder, 65_534, 65_534) }
            guard setuid(65_534) == 0 else { throw TestBed.Failure(message: "cannot change the user") }
        }
        let description = try RecordingReader(path: path).description
        let bed = try TestBed()
        let devices = [900, 901].map { MockDevice(description: description, number: $0) }
        for device in devices {
            try bed.plug(device)
            try bed.setMode(0, of: device)
        }
        let loop = try EpollRunLoop()
        var left = 2
        let monitor = DeviceMonitor(
            loop: loop, onFrame: { _ in },
            onChange: { change in
                print(EvdevProbe.line(of: change))
                left -= 1
                if left == 0 { loop.stop() }
            })
        // Applies only if nothing is retried.
        let timeout = RunLoopTimer(name: "timeout", after: .seconds(600)) { _ in loop.stop() }
        loop.add(timeout)
        try monitor.start()
        print("started")
        try bed.setMode(0o600, of: devices[0])
        loop.run()
        monitor.stop()
    }
}
