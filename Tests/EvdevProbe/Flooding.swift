import Recordings
import CUmockdev
import Dispatch  // the run loop drains its main queue
import Evdev
import EventLoop
import Glibc
import MockedInput

/// Two umockdev panels: one puts a finger down and never stops reporting, the other works normally.
enum Flooding {
    /// Prints every change and every frame of the good panel; of the broken one, the frames in which a finger begins or
    /// ends.
    static func run(_ path: String) throws {
        let description = try RecordingReader(path: path).description
        let bed = try TestBed()
        let broken = MockDevice(description: description, number: 900)
        let good = MockDevice(description: description, number: 901)
        let flood = try EventWriter(RecordingReader(path: flood(description)), to: bed.plug(broken))
        let touch = try EventWriter(RecordingReader(path: touch(description)), to: bed.plug(good))

        let loop = try EpollRunLoop()
        var isQuarantined = false
        let monitor = DeviceMonitor(
            loop: loop,
            onFrame: { frame in
                let isChange = frame.contacts.contains { $0.phase != .moved }
                if frame.device.rawValue == 2 || isChange {
                    print(
                        "device \(frame.device.rawValue): "
                            + frame.contacts.map { "\($0.phase)" }.joined(separator: ", "))
                }
                if frame.device.rawValue == 2, frame.contacts.contains(where: { $0.phase == .ended }) { loop.stop() }
            },
            onChange: { change in
                print(EvdevProbe.line(of: change))
                if case .failed = change { isQuarantined = true }
            })
        let pump = RunLoopTimer(name: "pump", after: .zero, repeating: .microseconds(50)) { _ in
            if isQuarantined { touch.write() } else { flood.write() }
        }
        let timeout = RunLoopTimer(name: "timeout", after: .seconds(600)) { _ in
            print("nothing more came")
            loop.stop()
        }
        loop.add(pump)
        loop.add(timeout)
        try monitor.start()
        loop.run()
        monitor.stop()
    }

    /// More moves in one second than any panel sends.
    private static func flood(_ description: DeviceDescription) throws -> String {
        var text = RecordingWriter().header(for: description) + down
        for step in 0..<130_000 { text += "E: 1.000000 0003 0035 \(step % 500)\nE: 1.000000 0000 0000 0\n" }
        return try file("flood", text)
    }

    private static func touch(_ description: DeviceDescription) throws -> String {
        let up = "E: 1.100000 0003 0039 -1\nE: 1.100000 0000 0000 0\n"
        return try file("touch", RecordingWriter().header(for: description) + down + up)
    }

    private static let down = "E: 1.000000 0003 0039 1\nE: 1.000000 0003 0035 5\nE: 1.000000 0000 0000 0\n"

    private static func file(_ name: String, _ text: String) throws -> String {
        let path = "\(String(cString: g_get_tmp_dir()))/evdev-probe-\(getpid())-\(name).evemu"
        guard let file = fopen(path, "w") else { throw TestBed.Failure(message: "\(path): cannot be written") }
        fputs(text, file)
        fclose(file)
        return path
    }
}
