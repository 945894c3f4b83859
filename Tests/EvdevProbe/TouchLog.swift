import Evdev

/// What a reader of frames saw, as changes that can be compared: times since a beginning, touches by numbers in the order in
/// which they began, and the pointer's place instead of its motion.
struct TouchLog {
    /// What is not compared.
    struct Omission {
        /// The tracking ids of contacts.
        var ids: Set<Int32> = []
        /// The buttons that are pressed at the beginning, until they are released.
        var buttons: Set<UInt16> = []
        /// The contacts that began before, by their numbers in the frames.
        var contacts: Set<UInt32> = []
        /// Everything up to this time, in microseconds since the beginning.
        var until = Int64.min
        var slots = false
        var trackingIDs = false
        /// Pointers and buttons.
        var others = false
        /// The order of the changes at one time.
        var order = false
    }

    private(set) var changes: [(time: Int64, text: String)] = []
    private var numbers: [UInt32: UInt32] = [:]
    private var pointer: PointerMotion?

    /// - Parameters:
    ///   - frames: The frames; those before `index` only give the pointer's place.
    ///   - start: The time that the changes count from; nil for 0.
    init(
        _ frames: [InputFrame], from index: Int = 0, start: InputTimestamp? = nil, without omission: Omission
    ) {
        var omission = omission
        for frame in frames[..<index] { follow(frame) }
        for frame in frames[index...] {
            follow(frame)
            add(frame, frame.timestamp.microseconds - (start?.microseconds ?? 0), &omission)
        }
        if omission.order { changes.sort { ($0.time, $0.text) < ($1.time, $1.text) } }
    }

    private mutating func follow(_ frame: InputFrame) {
        if case .to? = frame.pointer { pointer = frame.pointer }
    }

    private mutating func add(_ frame: InputFrame, _ time: Int64, _ omission: inout Omission) {
        if time <= omission.until { return }
        var added: [String] = []
        for var contact in frame.contacts
        where !omission.contacts.contains(contact.id) && !omission.ids.contains(contact.trackingID) {
            if contact.phase == .began { numbers[contact.id] = UInt32(numbers.count) }
            contact.id = numbers[contact.id] ?? .max
            if omission.slots { contact.slot = 0 }
            if omission.trackingIDs { contact.trackingID = 0 }
            added.append("\(contact)")
        }
        if !omission.others {
            for key in frame.keys where !omission.buttons.contains(key.code) { added.append("\(key)") }
            for key in frame.keys where key.action != .repeated { omission.buttons.remove(key.code) }
            if case .by? = frame.pointer { added.append("\(String(describing: frame.pointer))") }
            if let scroll = frame.scroll { added.append("\(scroll)") }
            if !added.isEmpty || frame.pointer != nil { added.append("\(String(describing: pointer))") }
        }
        changes += added.map { (time, $0) }
    }

    /// The first difference from what was expected; nil without one.
    func difference(from expected: TouchLog) -> String? {
        let index = zip(changes, expected.changes).prefix { $0 == $1 }.count
        if index == changes.count, index == expected.changes.count { return nil }
        func change(of log: TouchLog) -> String {
            index < log.changes.count ? "\(log.changes[index].time) \(log.changes[index].text)" : "nothing"
        }
        return "change \(index): the device gave \(change(of: expected)), the replay \(change(of: self))"
    }
}
