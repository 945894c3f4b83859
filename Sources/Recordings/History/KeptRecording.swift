import Evdev

/// A device's last minutes as evemu text, written piece by piece, since there may be a megabyte of it.
///
/// Contacts keep their slots, their axes and their times; their tracking ids are counted anew, as the kernel's would say how
/// many contacts are left out. A report in which all contacts are left out is not there. So it tells nothing of those but
/// that there is a pause, and where a finger has a slot above the first, that another was down when it came.
public struct KeptRecording {
    /// The device.
    public let device: DeviceInfo
    /// Whether all of it was written.
    public private(set) var isAtEnd = false

    private let samples: [ContactSample]
    private var position = 0
    private var hasHeader = false
    private var events: ContactEvents
    private var writer = RecordingWriter()

    /// - Parameters:
    ///   - down: The contacts that were down at the beginning.
    ///   - samples: What contacts did since, in the order of time.
    init(_ info: DeviceInfo, down: [ContactSample], samples: [ContactSample]) {
        device = info
        events = ContactEvents(info)
        let time = samples.first?.time ?? down.map(\.time).max() ?? 0
        let first = down.map { sample in
            var sample = sample
            sample.phase = .began
            sample.time = time
            // No report's number is as far from the next one's.
            sample.report = (samples.first?.report ?? 0) &+ 128
            return sample
        }
        self.samples = first + samples
    }

    /// Writes on until a piece has about so many bytes; an empty text once there is nothing more.
    public mutating func next(bytes: Int) -> String {
        var text = ""
        if !hasHeader {
            hasHeader = true
            text = writer.header(for: device.description)
            text +=
                "# Kept by touchd. Contacts in private views are left out, as are those that no view was asked about.\n"
        }
        while position < samples.count, text.utf8.count < bytes {
            let first = samples[position]
            let end =
                samples[position...].firstIndex { $0.report != first.report || $0.time != first.time } ?? samples.count
            for event in events.report(samples[position..<end]) { text += writer.line(for: event) }
            position = end
        }
        isAtEnd = position == samples.count
        return text
    }
}
