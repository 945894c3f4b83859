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
        var run: TouchdEntry.Run
    }

    private var states: [String: State] = [:]
    /// The missing devices that the layout expects, by the layout's pattern for their names.
    private var expected: [String: (device: LostDevice, run: TouchdEntry.Run)] = [:]
    /// The processes of the services, one for each seat, by their units.
    private var processes: [String: String] = [:]

    mutating func added(_ device: String, in run: TouchdEntry.Run, date: TimeInterval) {
        change(device, run, date, loss: nil) { $0.used += 1 }
    }

    mutating func lost(_ device: String, _ loss: LostDevice.Loss, in run: TouchdEntry.Run, date: TimeInterval) {
        change(device, run, date, loss: loss) { $0.used = max(0, $0.used - 1) }
    }

    /// Records that a used device has been silent for longer than the layout allows.
    mutating func silent(_ device: String, in run: TouchdEntry.Run, date: TimeInterval) {
        change(device, run, date, loss: .silent) { _ in }
    }

    /// Records a restart of the kiosk, after which missing devices are reported again.
    mutating func restarted() {
        expected.removeAll(keepingCapacity: true)
        processes.removeAll(keepingCapacity: true)
    }

    /// Records that a service has started, and has reported the devices that it uses and those that are missing.
    mutating func started(_ run: TouchdEntry.Run) {
        guard processes[run.unit] != nil || processes.count < Self.capacity else { return }
        processes[run.unit] = run.process
        expected = expected.filter { !isOver($0.value.run) }
    }

    /// Whether a run of this boot was followed by another one of its service.
    private func isOver(_ run: TouchdEntry.Run) -> Bool { processes[run.unit].map { $0 != run.process } ?? false }

    /// Records that the layout expects a device and none matches.
    mutating func missed(_ pattern: String, in run: TouchdEntry.Run, date: TimeInterval) {
        guard expected[pattern] != nil || expected.count < Self.capacity else { return }
        let device = LostDevice(device: pattern, loss: .missing, since: Date(timeIntervalSince1970: date))
        expected[pattern] = (device, run)
    }

    /// Records that a missing or silent device is back, with the pattern for it if the entry has one.
    mutating func back(_ device: String, expected given: String?) {
        if let given {
            expected[given] = nil
            return
        }
        if states[device]?.loss == .silent {
            states[device]?.loss = nil
            return
        }
        // An older touchd does not say the pattern, and it is not matched here, because a forged one could take very
        // long. The device that was missing for longest is assumed.
        let pattern =
            expected[device] != nil
            ? device : expected.values.min { $0.device.since < $1.device.since }?.device.device
        if let pattern { expected[pattern] = nil }
    }

    /// The missing devices at the end of the journal, by name; `boot` is the kiosk's last.
    func lost(boot: String) -> [LostDevice] {
        let known = states.compactMap { name, state -> LostDevice? in
            let isOfEarlierRun = state.run.boot != boot || isOver(state.run)
            guard let loss = isOfEarlierRun && state.used > 0 ? .absent : state.loss else { return nil }
            return LostDevice(device: name, loss: loss, since: Date(timeIntervalSince1970: state.date))
        }
        let missing = expected.values.map(\.device).filter { missing in
            !known.contains { $0.device == missing.device }
        }
        return (known + missing).sorted { $0.device < $1.device }
    }

    /// Changes the state of a name in this run; each run starts without devices.
    private mutating func change(
        _ device: String, _ run: TouchdEntry.Run, _ date: TimeInterval, loss: LostDevice.Loss?,
        _ body: (inout State) -> Void
    ) {
        guard states[device] != nil || states.count < Self.capacity else { return }
        var state = states[device].flatMap { $0.run == run ? $0 : nil } ?? State(date: date, run: run)
        (state.loss, state.date) = (loss, date)
        body(&state)
        states[device] = state
    }
}
