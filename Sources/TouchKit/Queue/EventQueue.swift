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
    /// How many frames may wait before moves are folded.
    var capacity: Int {
        didSet { threshold = capacity }
    }
    /// How many may wait before it is tried again: more than the capacity where folding did not help.
    private var threshold: Int
    /// How many moves were folded into later ones for want of room.
    private(set) var foldedMoveCount = 0

    init(capacity: Int = 1024) {
        self.capacity = capacity
        threshold = capacity
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

    /// Puts the news that a device is gone at the end.
    mutating func appendRemoval(of device: DeviceID, at timestamp: InputTimestamp) {
        frames.append(QueuedFrame(kind: .removal, device: device, timestamp: timestamp))
    }

    /// Folds the moves of each device between two frames of another kind into one frame with the newest of each contact.
    ///
    /// What began, ended or was cancelled stays as it is and where it is, so the queue may stay as long as it was.
    private mutating func makeRoom() {
        // The queue is turned round once in its own storage: each frame is taken from the head and put at the end.
        var run = 0
        let before = contacts.count
        for _ in 0..<frames.count {
            guard let frame = frames.popFirst() else { break }
            if frame.onlyMovesContacts {
                run = fold(frame, intoLast: run) ? run : run + 1
            } else {
                run = 0
                turn(frame)
            }
        }
        foldedMoveCount += before - contacts.count
        threshold = max(capacity, 2 * frames.count)
    }

    private mutating func turn(_ frame: QueuedFrame) {
        frames.append(frame)
        for _ in 0..<frame.contactCount { contacts.append(contacts.removeFirst()) }
        for _ in 0..<frame.keyCount { keys.append(keys.removeFirst()) }
    }

    /// Folds a frame into the one of its device among the last few, or puts it at the end; answers whether it folded.
    private mutating func fold(_ frame: QueuedFrame, intoLast run: Int) -> Bool {
        var end = contacts.endIndex
        for index in frames.indices.suffix(run).reversed() {
            var start = end - frames[index].contactCount
            guard frames[index].device == frame.device else {
                end = start
                continue
            }
            for _ in 0..<frame.contactCount {
                let contact = contacts.removeFirst()
                // Taking one from the head moves all others one place down.
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

    /// Takes the frame at the head; its contacts and keys must be taken next.
    mutating func popFrame() -> QueuedFrame? { frames.popFirst() }

    /// Takes the next contact of the frame taken last.
    mutating func popContact() -> Contact { contacts.removeFirst() }

    /// Takes the next key of the frame taken last.
    mutating func popKey() -> KeyChange { keys.removeFirst() }
}
