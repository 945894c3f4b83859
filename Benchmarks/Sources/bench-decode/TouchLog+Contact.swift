import Evdev

extension TouchLog {
    /// Records a contact that touchd reports.
    mutating func record(_ contact: Contact) {
        let point = Point(x: contact.position.x * 1_000_000, y: contact.position.y * 1_000_000)
        switch contact.phase {
        case .began: began(contact.slot, at: point)
        case .moved: moved(contact.slot, to: point)
        case .ended: ended(contact.slot, .lifted)
        case .cancelled: ended(contact.slot, .cancelled)
        }
    }
}
