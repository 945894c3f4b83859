import Evdev

/// A device's last minutes as evemu text. It is written piece by piece, because it may be a megabyte.
///
/// Contacts keep their slots, axes and times. Their tracking ids are renumbered, because the kernel's ids would reveal
/// how many contacts are omitted. A report with only omitted contacts is omitted. So an omitted contact is visible only
/// as a pause, or because a contact that began while it was down has a slot above the first.
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
    ///   - down: The contacts that were down at the start.
    ///   - samples: The samples since then, in order of time.
    init(_ info: DeviceInfo, down: [ContactSample], samples: [ContactSample]) {
        device = info
        events = ContactEvents(info)
        let time = samples.first?.time ?? down.map(\.time).max() ?? 0
        let first = down.map { sample in
            var sample = sample
            sample.phase = .began
            sample.time = time
            // Differs from the report numbers of all adjacent samples.
            sample.report = (samples.first?.report ?? 0) &+ 128
            return sample
        }
        self.samples = first + samples
    }

    /// Writes until the piece has about `bytes` bytes; returns an empty text at the end.
    public mutating func next(bytes: Int) -> String {
        var text = ""
        if !hasHeader {
            hasHeader = true
            text = writer.header(for: device.description)
            text +=
                "# Kept by touchd. Contacts in private views, and contacts that were not hit-tested, are left out.\n"
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
