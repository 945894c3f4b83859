import DequeModule
import Evdev

/// What one place in the queue holds, but for its contacts and keys, which lie in lists of their own.
struct QueuedFrame {
    /// What kind of thing is queued.
    enum Kind {
        /// Something a device reported.
        case input
        /// The device is gone.
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
    /// Whether it only moves contacts that are down, so that another like it may be folded into it.
    var onlyMovesContacts = false
}

/// The application's queue: every device's frames in one line, first in, first out.
///
/// Frames are flattened into double-ended queues of plain values, whose storage is kept, so that queueing allocates
/// nothing once the queue has been as long as it gets.
struct EventQueue {
    private var frames: Deque<QueuedFrame>
    private var contacts: Deque<Contact>
    private var keys: Deque<KeyChange>

    init() {
        frames = Deque(minimumCapacity: 256)
        contacts = Deque(minimumCapacity: 512)
        keys = Deque(minimumCapacity: 64)
    }

    /// The number of frames that wait.
    var count: Int { frames.count }

    /// The frame that will be taken next, without its contacts and keys.
    var head: QueuedFrame? { frames.first }

    /// Puts a frame at the end.
    mutating func append(_ frame: borrowing InputFrame) {
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

    /// Puts the news that a device is gone at the end.
    mutating func appendRemoval(of device: DeviceID, at timestamp: InputTimestamp) {
        frames.append(QueuedFrame(kind: .removal, device: device, timestamp: timestamp))
    }

    /// Takes the frame at the head; its contacts and keys must be taken next.
    mutating func popFrame() -> QueuedFrame? { frames.popFirst() }

    /// Takes the next contact of the frame taken last.
    mutating func popContact() -> Contact { contacts.removeFirst() }

    /// Takes the next key of the frame taken last.
    mutating func popKey() -> KeyChange { keys.removeFirst() }
}
