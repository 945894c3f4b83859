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
        // A recording begins in slot 0 and need not say so; the round before may have ended in another.
        if self.description.axes[UInt16(ABS_MT_SLOT)] != nil, !frames.isEmpty {
            var slot = input_event()
            (slot.type, slot.code) = (UInt16(EV_ABS), UInt16(ABS_MT_SLOT))
            frames[0].insert(slot, at: 0)
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
