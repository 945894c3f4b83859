import ControlProtocol
import Foundation

/// The devices of one kiosk that disappeared and did not return.
struct LostDevices {
    /// The maximum number of names. A kiosk has a handful; more are probably forged.
    private static let capacity = 64

    private struct State {
        /// The number of used devices with this name; a kiosk may have two panels of the same model.
        var used = 0
        var loss: LostDevice.Loss?
        var date: TimeInterval
        var boot: String
    }

    private var states: [String: State] = [:]
    /// The missing devices that the layout expects, by the layout's pattern for their names.
    private var expected: [String: LostDevice] = [:]

    mutating func added(_ device: String, boot: String, date: TimeInterval) {
        change(device, boot, date, loss: nil) { $0.used += 1 }
    }

    mutating func lost(_ device: String, _ loss: LostDevice.Loss, boot: String, date: TimeInterval) {
        change(device, boot, date, loss: loss) { $0.used = max(0, $0.used - 1) }
    }

    /// Records that a used device has been silent for longer than the layout allows.
    mutating func silent(_ device: String, boot: String, date: TimeInterval) {
        change(device, boot, date, loss: .silent) { _ in }
    }

    /// Records a restart of the kiosk, after which missing devices are reported again.
    mutating func restarted() { expected.removeAll(keepingCapacity: true) }

    /// Records that the layout expects a device and none matches.
    mutating func missed(_ pattern: String, date: TimeInterval) {
        guard expected[pattern] != nil || expected.count < Self.capacity else { return }
        expected[pattern] = LostDevice(
            device: pattern, loss: .missing, since: Date(timeIntervalSince1970: date))
    }

    /// Records that a missing or silent device is back.
    mutating func back(_ device: String) {
        if states[device]?.loss == .silent {
            states[device]?.loss = nil
            return
        }
        // The pattern is not matched here, because a forged one could take very long. The device that was missing for
        // longest is assumed.
        let pattern =
            expected[device] != nil ? device : expected.values.min { $0.since < $1.since }?.device
        if let pattern { expected[pattern] = nil }
    }

    /// The missing devices at the end of the journal, by name; `boot` is the kiosk's last.
    func lost(boot: String) -> [LostDevice] {
        let known = states.compactMap { name, state -> LostDevice? in
            let isOfEarlierBoot = state.boot != boot
            guard let loss = isOfEarlierBoot && state.used > 0 ? .absent : state.loss else { return nil }
            return LostDevice(device: name, loss: loss, since: Date(timeIntervalSince1970: state.date))
        }
        let missing = expected.values.filter { missing in !known.contains { $0.device == missing.device } }
        return (known + missing).sorted { $0.device < $1.device }
    }

    /// Changes the state of a name in this boot; each boot starts without devices.
    private mutating func change(
        _ device: String, _ boot: String, _ date: TimeInterval, loss: LostDevice.Loss?, _ body: (inout State) -> Void
    ) {
        guard states[device] != nil || states.count < Self.capacity else { return }
        var state = states[device].flatMap { $0.boot == boot ? $0 : nil } ?? State(date: date, boot: boot)
        (state.loss, state.date) = (loss, date)
        body(&state)
        states[device] = state
    }
}
