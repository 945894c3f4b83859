import Recordings
import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop
import MockedInput

/// Shows the reports for umockdev devices that cannot be opened; every change is a line.
enum Retrying {
    /// Two panels whose nodes are missing. After both have failed, one node is moved into place without an event. When
    /// that panel is used, the monitor is stopped while the other still waits.
    static func run(_ path: String) throws {
        let description = try RecordingReader(path: path).description
        let bed = try TestBed()
        let devices = [900, 901].map { MockDevice(description: description, number: $0) }
        for device in devices {
            try bed.plug(device)
            try bed.hide(device, true)
        }
        let loop = try EpollRunLoop()
        let monitor = DeviceMonitor(
            loop: loop, onFrame: { _ in },
            onChange: { change in
                print(EvdevProbe.line(of: change))
                if case .added = change { loop.stop() }
            })
        // Applies only if nothing is retried.
        let timeout = RunLoopTimer(name: "timeout", after: .seconds(600)) { _ in
            print("nothing more came")
            loop.stop()
        }
        loop.add(timeout)
        try monitor.start()
        try bed.hide(devices[1], false)
        loop.run()
        monitor.stop()
        timeout.invalidate()
        print("stopped: \(loop.run())")
    }
}
