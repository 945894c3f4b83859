import Evdev

/// The events of one device, with a check that every contact began and ended once.
final class Seen {
    private(set) var frames: [InputFrame] = []
    private(set) var began = 0
    private(set) var ended = 0
    private(set) var cancelled = 0
    /// Contacts that began twice, or moved or ended without being down.
    private(set) var mistakes = 0
    private(set) var down: Set<UInt32> = []
    /// The tracking id of the contact that is down in a slot.
    private(set) var bySlot: [Int32: Int32] = [:]

    func record(_ frame: borrowing InputFrame) {
        frames.append(copy frame)
        for contact in frame.contacts {
            switch contact.phase {
            case .began:
                began += 1
                if !down.insert(contact.id).inserted { mistakes += 1 }
                bySlot[contact.slot] = contact.trackingID
            case .moved: if !down.contains(contact.id) { mistakes += 1 }
            case .ended, .cancelled:
                if contact.phase == .ended { ended += 1 } else { cancelled += 1 }
                if down.remove(contact.id) == nil { mistakes += 1 }
                if bySlot[contact.slot] == contact.trackingID { bySlot[contact.slot] = nil }
            }
        }
    }
}
