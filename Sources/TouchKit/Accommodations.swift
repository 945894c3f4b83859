import Evdev
import Foundation

/// Helps people whose hands tremble, or are slow or weak: decides which contacts count as touches, and steadies them
/// (Touch Accommodations of iOS).
///
/// A contact that does not count reaches nobody. Contacts keep their numbers, so a touch that counts stays what it is
/// when the filter is removed.
package final class Accommodations: InputFilter {
    /// What helps; zero where nothing does.
    package nonisolated struct Settings: Equatable, Sendable {
        /// The time in seconds that a contact must be down before it counts. It then begins where it landed, or where it is
        /// if it has left `steady`.
        package var hold: TimeInterval
        /// The time in seconds after the end of a contact that counted, within which none on its panel counts.
        package var ignoreRepeat: TimeInterval
        /// The distance in points from the landing within which a contact does not move; it ends where it landed.
        package var steady: Double

        /// Makes settings that change nothing unless they are given.
        package init(hold: TimeInterval = 0, ignoreRepeat: TimeInterval = 0, steady: Double = 0) {
            (self.hold, self.ignoreRepeat, self.steady) = (hold, ignoreRepeat, steady)
        }
    }

    private struct Entry {
        enum State {
            /// It does not count before `timer`.
            case waiting(timer: Application.ScheduledAction)
            /// It counts, and has not left the place of its landing.
            case steady
            /// It counts, and moves.
            case moving
            /// It never counts.
            case ignored
        }

        let device: DeviceID
        var landing: Contact
        var latest: Contact
        var state: State
    }

    /// The settings, which never change: another filter has others.
    package let settings: Settings
    /// The number of contacts that did not count.
    package private(set) var ignoredCount = 0
    private unowned let application: Application
    private var entries: [Entry] = []
    /// The end of the last contact that counted, on each panel.
    private var lastEnds: [DeviceID: TimeInterval] = [:]

    /// Makes a filter for an application, which outlives it.
    package init(_ settings: Settings, application: Application) {
        (self.settings, self.application) = (settings, application)
    }

    package func keeps(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) -> Bool {
        var entry = Entry(device: device, landing: contact, latest: contact, state: .ignored)
        // Timestamps are rounded to microseconds, their sums are not.
        if let end = lastEnds[device], timestamp < end + settings.ignoreRepeat - 0.000_001 {
            ignoredCount += 1
        } else if settings.hold > 0 {
            let timer = application.schedule(at: timestamp + settings.hold) { [weak self] in
                self?.count(contact.id, of: device)
            }
            entry.state = .waiting(timer: timer)
        } else {
            entry.state = .steady
            application.deliver(contact, of: device, at: timestamp, after: self)
        }
        entries.append(entry)
        return true
    }

    package func change(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) {
        guard let place = place(of: contact.id, on: device) else { return }
        let isOver = contact.phase == .ended || contact.phase == .cancelled
        // A lift reports no location.
        if !isOver { entries[place].latest = contact }
        var entry = entries[place]
        if isOver { entries.remove(at: place) }
        switch entry.state {
        case .ignored:
            return
        case .waiting(let timer):
            if isOver {
                timer.cancel()
                ignoredCount += 1
            }
            return
        case .steady:
            if isOver {
                entry.latest = entry.landing
            } else if hasLeft(entry) {
                entries[place].state = .moving
            } else {
                return
            }
        case .moving:
            break
        }
        if isOver { lastEnds[device] = timestamp }
        entry.latest.phase = contact.phase
        application.deliver(entry.latest, of: device, at: timestamp, after: self)
    }

    package func remove(at timestamp: TimeInterval) {
        for case .waiting(let timer) in entries.map(\.state) { timer.cancel() }
        entries = []
    }

    /// A contact has been down long enough.
    private func count(_ contact: UInt32, of device: DeviceID) {
        guard let place = place(of: contact, on: device) else { return }
        entries[place].state = .steady
        if hasLeft(entries[place]) { entries[place].landing = entries[place].latest }
        entries[place].landing.phase = .began
        application.deliver(entries[place].landing, of: device, at: application.currentTime, after: self)
        application.sendContacts()
    }

    private func place(of contact: UInt32, on device: DeviceID) -> Int? {
        entries.firstIndex { $0.device == device && $0.landing.id == contact }
    }

    private func hasLeft(_ entry: Entry) -> Bool {
        let screen = application.screen(for: entry.device)
        let landing = screen.location(of: entry.landing.position)
        return screen.location(of: entry.latest.position).distance(to: landing) > settings.steady
    }
}
