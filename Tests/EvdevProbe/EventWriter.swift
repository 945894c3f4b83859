import Evdev
import MockedInput
import Recordings

/// Plays a recording's events to a mocked node as fast as they are read, so that none is dropped.
final class EventWriter {
    /// Whether the last event was written.
    private(set) var isAtEnd = false
    private var reader: RecordingReader
    private let node: MockEvdev
    /// Every device's queue holds 64 events.
    private static let eventsInLot = 64

    init(_ reader: consuming RecordingReader, to node: MockEvdev) {
        self.reader = reader
        self.node = node
    }

    /// Writes the next events if the previous ones were read.
    func write() {
        guard node.isRead else { return }
        var lot: [InputEvent] = []
        for _ in 0..<Self.eventsInLot {
            guard let event = try? reader.next() else {
                isAtEnd = true
                break
            }
            lot.append(event)
        }
        node.replay(lot)
    }
}
