import CLinux
import Evdev
import Glibc

/// A recording in memory, in the lots that its `SYN_REPORT`s make, as the kernel's bytes.
struct RecordedFrames {
    let description: DeviceDescription
    private(set) var frames: [[input_event]] = []

    init(path: String, description: String?) throws {
        var reader = try RecordingReader(path: path, description: description)
        self.description = reader.description
        var frame: [input_event] = []
        while let event = try reader.next() {
            var raw = input_event()
            (raw.type, raw.code, raw.value) = (event.type, event.code, event.value)
            frame.append(raw)
            if event.type == UInt16(EV_SYN), event.code == UInt16(SYN_REPORT) {
                frames.append(frame)
                frame = []
            }
        }
    }

    /// Gives a frame the time that it would have if it were sent now.
    func stamped(_ index: Int) -> [input_event] {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return frames[index].map { event in
            var event = event
            event.time.tv_sec = now.tv_sec
            event.time.tv_usec = now.tv_nsec / 1000
            return event
        }
    }
}
