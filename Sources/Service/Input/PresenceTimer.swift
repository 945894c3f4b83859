import Evdev
import EventLoop

/// Reports when a device that the layout expects is missing or silent, and when it is back.
///
/// It uses one timer, armed for the next possible change. Without rules that expect a device there is no timer.
final class PresenceTimer {
    private(set) var presence: DevicePresence
    private let report: (DevicePresence.Change) -> Void
    private var timer: RunLoopTimer?

    /// Returns nil if no rule expects a device.
    ///
    /// - Parameters:
    ///   - previous: The timer for the previous rules. A state that it reported is not reported again for an unchanged
    ///     rule.
    ///   - report: Called for each change of a device's state.
    init?(
        rules: [DeviceRule], after previous: PresenceTimer?, loop: EpollRunLoop,
        report: @escaping (DevicePresence.Change) -> Void
    ) {
        guard let presence = DevicePresence(rules: rules, after: previous?.presence) else { return nil }
        self.presence = presence
        self.report = report
        timer = loop.add(
            RunLoopTimer(name: "expected devices") { [unowned self] _ in send(self.presence.changes(at: .now)) })
    }

    isolated deinit { timer?.invalidate() }

    /// Updates the present devices; call it whenever they may have changed.
    func update(_ devices: [DeviceInfo]) { send(presence.update(devices, at: .now)) }

    /// Records that a device sent a frame.
    func noteActivity(_ frame: borrowing InputFrame) {
        // The timer checks its deadline when it fires, so a frame does not rearm it.
        if let change = presence.noteActivity(frame) { send([change]) }
    }

    private func send(_ changes: [DevicePresence.Change]) {
        if let deadline = presence.deadline {
            timer?.reschedule(at: Deadline(nanoseconds: deadline.nanoseconds))
        } else {
            timer?.cancel()
        }
        for one in changes { report(one) }
    }
}
