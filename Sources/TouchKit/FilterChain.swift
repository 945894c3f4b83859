import Evdev
import Foundation

/// The filters of an application in their order, and what each of them keeps.
final class FilterChain {
    private struct KeptContact {
        let filter: any InputFilter
        let device: DeviceID
        var contact: Contact
        /// Whether the filter has received a cancellation, although the contact is still down.
        var isOver = false
    }

    private struct KeptKey {
        let filter: any InputFilter
        let device: DeviceID
        let code: UInt16
    }

    private(set) var filters: [any InputFilter] = []
    private var contacts: [KeptContact] = []
    private var keys: [KeptKey] = []

    /// Replaces the filters; those that are not in the new list are removed. They may cancel touches, and a handler may
    /// replace the filters again.
    func set(_ filters: [any InputFilter], at timestamp: TimeInterval) {
        let removed = self.filters.filter { filter in !filters.contains { $0 === filter } }
        self.filters = filters
        contacts.removeAll { kept in removed.contains { $0 === kept.filter } }
        keys.removeAll { kept in removed.contains { $0 === kept.filter } }
        for filter in removed { filter.remove(at: timestamp) }
    }

    /// Returns whether a filter keeps a contact; those that come after `sender`, or all.
    func keeps(
        _ contact: Contact, of device: DeviceID, at timestamp: TimeInterval, after sender: (any InputFilter)? = nil
    ) -> Bool {
        for filter in filters(after: sender) {
            if let place = contacts.firstIndex(where: {
                $0.filter === filter && $0.device == device && $0.contact.id == contact.id
            }) {
                let isOver = contacts[place].isOver
                contacts[place].contact = contact
                if contact.phase == .ended || contact.phase == .cancelled { contacts.remove(at: place) }
                if !isOver { filter.change(contact, of: device, at: timestamp) }
                return true
            }
            if contact.phase == .began, filter.keeps(contact, of: device, at: timestamp) {
                contacts.append(KeptContact(filter: filter, device: device, contact: contact))
                return true
            }
        }
        return false
    }

    /// Returns whether a filter keeps a key.
    func keeps(_ key: KeyChange, of device: DeviceID, at timestamp: TimeInterval) -> Bool {
        if let place = keys.firstIndex(where: { $0.device == device && $0.code == key.code }) {
            let filter = keys[place].filter
            if key.action == .released || key.action == .cancelled { keys.remove(at: place) }
            filter.change(key, of: device, at: timestamp)
            return true
        }
        guard key.action == .pressed else { return false }
        for filter in filters where filter.keeps(key, of: device, at: timestamp) {
            keys.append(KeptKey(filter: filter, device: device, code: key.code))
            return true
        }
        return false
    }

    /// Cancels what is kept of a device that is removed.
    func remove(_ device: DeviceID, at timestamp: TimeInterval) {
        cancelContacts(at: timestamp) { $0 == device }
        contacts.removeAll { $0.device == device }
        for key in keys where key.device == device {
            key.filter.change(KeyChange(code: key.code, action: .cancelled), of: device, at: timestamp)
        }
        keys.removeAll { $0.device == device }
    }

    /// Cancels the contacts that are kept; their filters get nothing more of them.
    func cancelContacts(at timestamp: TimeInterval, where isIncluded: (DeviceID) -> Bool = { _ in true }) {
        // A copy: handlers of the cancellations may replace the filters.
        let cancelled = contacts.filter { !$0.isOver && isIncluded($0.device) }
        for place in contacts.indices where isIncluded(contacts[place].device) { contacts[place].isOver = true }
        for var kept in cancelled {
            kept.contact.phase = .cancelled
            kept.filter.change(kept.contact, of: kept.device, at: timestamp)
        }
    }

    private func filters(after sender: (any InputFilter)?) -> ArraySlice<any InputFilter> {
        guard let sender else { return filters[...] }
        // One that is being removed ends its contacts for all others.
        guard let place = filters.firstIndex(where: { $0 === sender }) else { return filters[...] }
        return filters[(place + 1)...]
    }
}
