import Foundation

/// Which devices of one kiosk went away and did not come back.
struct LostDevices {
    /// A kiosk has a handful; beyond this, names are somebody's invention.
    private static let capacity = 64

    private struct State {
        /// How many devices of the name are used; a kiosk may have two panels of one make.
        var used = 0
        var loss: LostDevice.Loss?
        var date: TimeInterval
        var boot: String
    }

    private var states: [String: State] = [:]
    /// Devices that the layout expects and that are not there, by the pattern that the layout has for them.
    private var expected: [String: LostDevice] = [:]

    mutating func added(_ device: String, boot: String, date: TimeInterval) {
        guard var state = state(of: device, boot: boot, date: date) else { return }
        state.used += 1
        state.loss = nil
        state.date = date
        states[device] = state
    }

    mutating func lost(_ device: String, _ loss: LostDevice.Loss, boot: String, date: TimeInterval) {
        guard var state = state(of: device, boot: boot, date: date) else { return }
        state.used = max(0, state.used - 1)
        state.loss = loss
        state.date = date
        states[device] = state
    }

    /// A device that is used says nothing for longer than the layout allows.
    mutating func silent(_ device: String, boot: String, date: TimeInterval) {
        guard var state = state(of: device, boot: boot, date: date) else { return }
        state.loss = .silent
        state.date = date
        states[device] = state
    }

    /// The kiosk was started again: what is missing is told anew.
    mutating func restarted() { expected.removeAll(keepingCapacity: true) }

    /// The layout expects a device of such a name, and there is none.
    mutating func missed(_ pattern: String, date: TimeInterval) {
        guard expected[pattern] != nil || expected.count < Self.capacity else { return }
        expected[pattern] = LostDevice(
            device: pattern, loss: .missing, since: Date(timeIntervalSince1970: date))
    }

    /// A device that was missed or silent is back.
    mutating func back(_ device: String) {
        if states[device]?.loss == .silent {
            states[device]?.loss = nil
            return
        }
        // A pattern is not matched here: one that somebody made up for it could take for ever. It waited the longest, then.
        let pattern =
            expected[device] != nil ? device : expected.values.min { $0.since < $1.since }?.device
        if let pattern { expected[pattern] = nil }
    }

    /// The devices that are not there at the end of the journal, by name; `boot` is the kiosk's last.
    func lost(boot: String) -> [LostDevice] {
        let known = states.compactMap { name, state -> LostDevice? in
            let isOfEarlierBoot = state.boot != boot
            guard let loss = isOfEarlierBoot && state.used > 0 ? .absent : state.loss else { return nil }
            return LostDevice(device: name, loss: loss, since: Date(timeIntervalSince1970: state.date))
        }
        let missing = expected.values.filter { missing in !known.contains { $0.device == missing.device } }
        return (known + missing).sorted { $0.device < $1.device }
    }

    /// What is known of a name in this boot: a boot begins with no device.
    private func state(of device: String, boot: String, date: TimeInterval) -> State? {
        if let state = states[device], state.boot == boot { return state }
        guard states[device] != nil || states.count < Self.capacity else { return nil }
        return State(date: date, boot: boot)
    }
}

/// A device that is not there at the end of a journal, though it was.
public struct LostDevice: Sendable, Equatable, Codable {
    /// How it was lost.
    public enum Loss: String, Sendable, Codable {
        /// It was unplugged, or fell off its bus.
        case unplugged
        /// It could not be opened or read.
        case failed
        /// It was used before the kiosk was started again, and not since.
        case absent = "absent since a restart"
        /// The layout expects it, and it is not there.
        case missing
        /// It is there and says nothing, for longer than the layout allows.
        case silent
    }

    /// The kernel's name for it.
    public var device: String
    /// How it was lost.
    public var loss: Loss
    /// When the journal last has something of it.
    public var since: Date
}
