import Evdev

/// Tracks a device's contacts and keys, and records the first violation.
struct FrameLedger {
    private(set) var violation: String?
    private var down: Set<UInt32> = []
    private var pressed: Set<UInt16> = []

    mutating func record(_ frame: borrowing InputFrame) {
        if frame.isEmpty { note("an empty frame") }
        var inFrame: Set<UInt32> = []
        for contact in frame.contacts {
            if !inFrame.insert(contact.id).inserted { note("contact \(contact.id) is twice in a frame") }
            record(contact)
        }
        for key in frame.keys { record(key) }
        if case .to(let point) = frame.pointer, !Self.isInside(point) { note("a pointer at \(point)") }
        if case .by(let x, let y) = frame.pointer, !(x.isFinite && y.isFinite) { note("a pointer moved by \(x), \(y)") }
    }

    /// Ends the input: whatever is still down never ends.
    mutating func close() {
        if !down.isEmpty { note("contacts \(down.sorted()) never ended") }
        if !pressed.isEmpty { note("keys \(pressed.sorted()) were never released") }
    }

    private mutating func record(_ contact: Contact) {
        switch contact.phase {
        case .began:
            // A filter may show a contact later than one that began after it, but never twice.
            if !down.insert(contact.id).inserted { note("contact \(contact.id) began twice") }
        case .moved: if !down.contains(contact.id) { note("contact \(contact.id) moved and is not down") }
        case .ended, .cancelled:
            if down.remove(contact.id) == nil { note("contact \(contact.id) ended and was not down") }
        }
        if !Self.isInside(contact.position) { note("contact \(contact.id) at \(contact.position)") }
        if let pressure = contact.pressure, !(0...1).contains(pressure) { note("a pressure of \(pressure)") }
    }

    private mutating func record(_ key: KeyChange) {
        switch key.action {
        case .pressed: if !pressed.insert(key.code).inserted { note("key \(key.code) was pressed twice") }
        case .repeated: if !pressed.contains(key.code) { note("key \(key.code) repeats and is not pressed") }
        case .released, .cancelled:
            if pressed.remove(key.code) == nil { note("key \(key.code) was released and not pressed") }
        }
    }

    private static func isInside(_ point: SurfacePoint) -> Bool {
        (0..<1).contains(point.x) && (0..<1).contains(point.y)
    }

    private mutating func note(_ text: String) { violation = violation ?? text }
}
