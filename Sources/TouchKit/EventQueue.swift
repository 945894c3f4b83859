import DequeModule
import Evdev

/// An entry in the queue, without its contacts and keys, which have separate lists.
struct QueuedFrame {
    /// The kind of entry.
    enum Kind {
        /// A device's report.
        case input
        /// The removal of a device.
        case removal
    }

    var kind: Kind
    var device: DeviceID
    var timestamp: InputTimestamp
    var contactCount = 0
    var keyCount = 0
    var pointer: PointerMotion?
    var scroll: ScrollDelta?
    var acceleration: Acceleration?
    /// Whether the frame only moves contacts, so that it can be merged with another such frame.
    var onlyMovesContacts = false
}

/// The application's queue: the frames of all devices, first in, first out.
///
/// Frames are flattened into double-ended queues of plain values. These keep their storage, so queueing does not
/// allocate once the queue has reached its largest size.
struct EventQueue {
    private var frames: Deque<QueuedFrame>
    private var contacts: Deque<Contact>
    private var keys: Deque<KeyChange>
    /// The number of queued frames above which moves are merged.
    private let capacity: Int
    /// The number of frames at which merging is tried next; above the capacity if the last attempt freed too little.
    private var threshold: Int
    /// The number of moves that were merged because the queue was full.
    private(set) var coalescedMoveCount = 0

    init(capacity: Int = 1024) {
        self.capacity = capacity
        threshold = capacity
        frames = Deque(minimumCapacity: 256)
        contacts = Deque(minimumCapacity: 512)
        keys = Deque(minimumCapacity: 64)
    }

    /// The number of queued frames.
    var count: Int { frames.count }

    /// The next frame, without its contacts and keys.
    var head: QueuedFrame? { frames.first }

    /// Appends a frame.
    mutating func append(_ frame: borrowing InputFrame) {
        if frames.count >= threshold { makeRoom() }
        var entry = QueuedFrame(kind: .input, device: frame.device, timestamp: frame.timestamp)
        entry.contactCount = frame.contacts.count
        entry.keyCount = frame.keys.count
        entry.pointer = frame.pointer
        entry.scroll = frame.scroll
        entry.acceleration = frame.acceleration
        var onlyMoves = entry.contactCount > 0 && entry.keyCount == 0
        for index in 0..<entry.contactCount {
            let contact = frame.contacts[index]
            if contact.phase != .moved { onlyMoves = false }
            contacts.append(contact)
        }
        for index in 0..<entry.keyCount { keys.append(frame.keys[index]) }
        if entry.pointer != nil || entry.scroll != nil || entry.acceleration != nil { onlyMoves = false }
        entry.onlyMovesContacts = onlyMoves
        frames.append(entry)
    }

    /// Appends the removal of a device.
    mutating func appendRemoval(of device: DeviceID, at timestamp: InputTimestamp) {
        frames.append(QueuedFrame(kind: .removal, device: device, timestamp: timestamp))
    }

    /// Merges the moves of each device between two frames of another kind into one frame with the newest state of each
    /// contact.
    ///
    /// Frames in which a contact began, ended or was cancelled keep their content and position, so the queue may not
    /// shrink.
    private mutating func makeRoom() {
        // One rotation within the existing storage: each frame is removed from the head and appended.
        var run = 0
        let before = contacts.count
        for _ in 0..<frames.count {
            guard let frame = frames.popFirst() else { break }
            if frame.onlyMovesContacts {
                run = coalesce(frame, intoLast: run) ? run : run + 1
            } else {
                run = 0
                turn(frame)
            }
        }
        coalescedMoveCount += before - contacts.count
        threshold = max(capacity, 2 * frames.count)
    }

    private mutating func turn(_ frame: QueuedFrame) {
        frames.append(frame)
        for _ in 0..<frame.contactCount { contacts.append(contacts.removeFirst()) }
        for _ in 0..<frame.keyCount { keys.append(keys.removeFirst()) }
    }

    /// Merges a frame into one of the last `run` frames of the same device, or appends it; returns whether it merged.
    private mutating func coalesce(_ frame: QueuedFrame, intoLast run: Int) -> Bool {
        var end = contacts.endIndex
        for index in frames.indices.suffix(run).reversed() {
            var start = end - frames[index].contactCount
            guard frames[index].device == frame.device else {
                end = start
                continue
            }
            for _ in 0..<frame.contactCount {
                let contact = contacts.removeFirst()
                // Removing the head shifts all other indices down by one.
                start -= 1
                let range = start..<start + frames[index].contactCount
                if let place = contacts[range].firstIndex(where: { $0.id == contact.id }) {
                    contacts[place] = contact
                } else {
                    contacts.insert(contact, at: range.upperBound)
                    frames[index].contactCount += 1
                }
            }
            frames[index].timestamp = frame.timestamp
            return true
        }
        turn(frame)
        return false
    }

    /// Removes the frame at the head; the caller must remove its contacts and keys next.
    mutating func popFrame() -> QueuedFrame? { frames.popFirst() }

    /// Removes the next contact of the last removed frame.
    mutating func popContact() -> Contact { contacts.removeFirst() }

    /// Removes the next key of the last removed frame.
    mutating func popKey() -> KeyChange { keys.removeFirst() }
}
