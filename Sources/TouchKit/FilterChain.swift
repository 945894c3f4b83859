import Evdev
import Foundation

/// The filters of an application in their order, and what each of them keeps.
final class FilterChain {
    private struct KeptContact {
        let filter: any InputFilter
        let device: DeviceID
        var contact: Contact
    }

    private(set) var filters: [any InputFilter] = []
    private var contacts: [KeptContact] = []

    /// Replaces the filters; those that are not in the new list are removed. They may cancel touches, and a handler may
    /// replace the filters again.
    func set(_ filters: [any InputFilter], at timestamp: TimeInterval) {
        let removed = self.filters.filter { filter in !filters.contains { $0 === filter } }
        self.filters = filters
        contacts.removeAll { kept in removed.contains { $0 === kept.filter } }
        for filter in removed { filter.remove(at: timestamp) }
    }

    /// Returns whether a filter keeps a contact; those that come after `sender`, or all.
    func keeps(
        _ contact: Contact, of device: DeviceID, at timestamp: TimeInterval, after sender: (any InputFilter)? = nil
    ) -> Bool {
        var first = 0
        // Those after the sender; after one that is being removed all, because it ends its contacts for them.
        if let sender, let place = filters.firstIndex(where: { $0 === sender }) { first = place + 1 }
        for filter in filters[first...] {
            if let place = contacts.firstIndex(where: {
                $0.filter === filter && $0.device == device && $0.contact.id == contact.id
            }) {
                contacts[place].contact = contact
                if contact.phase == .ended || contact.phase == .cancelled { contacts.remove(at: place) }
                filter.change(contact, of: device, at: timestamp)
                return true
            }
            if contact.phase == .began, filter.keeps(contact, of: device, at: timestamp) {
                contacts.append(KeptContact(filter: filter, device: device, contact: contact))
                return true
            }
        }
        return false
    }

    /// Cancels the contacts that are kept, or those of a device that is removed. Later changes of one that is still down
    /// reach nobody.
    func cancelContacts(of device: DeviceID? = nil, at timestamp: TimeInterval) {
        // A copy: handlers of the cancellations may replace the filters.
        let cancelled = contacts.filter { device == nil || $0.device == device }
        contacts.removeAll { device == nil || $0.device == device }
        for var kept in cancelled {
            kept.contact.phase = .cancelled
            kept.filter.change(kept.contact, of: kept.device, at: timestamp)
        }
    }
}
