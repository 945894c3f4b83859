import Evdev
import EventLoop

/// Detects expected devices that are missing and devices that are present but silent.
///
/// A kiosk with a disconnected screen looks like one that nobody touches. Rules set the limits (`absence`, `silence`),
/// and this type computes when a limit is reached. It has no clock: the caller passes the current time and asks again
/// at `deadline`. Only devices in use count.
nonisolated struct DevicePresence: Sendable {
    /// A state change to report; each is reported once, until the opposite is reported.
    enum Change: Sendable, Equatable {
        /// No device that matches the rule has been present for the rule's `absence`.
        case absent(DeviceRule)
        /// A matching device is present again after `absent`.
        case returned(DeviceRule, DeviceInfo)
        /// A device has sent nothing that counts for the rule's `silence`, since its last frame or since it was opened.
        case silent(DeviceRule, DeviceInfo, since: InputTimestamp)
        /// The device sent a frame after `silent`.
        case resumed(DeviceRule, DeviceInfo)
    }

    private struct Expectation {
        var rule: DeviceRule
        var missingSince: InputTimestamp?
        var isReported = false

        var due: InputTimestamp? { isReported ? nil : missingSince?.adding(rule.absence ?? .zero) }
    }

    private struct Watch {
        var rule: DeviceRule
        var device: DeviceInfo
        var lastActivity: InputTimestamp
        var isReported = false

        var due: InputTimestamp? { isReported ? nil : lastActivity.adding(rule.silence ?? .zero) }

        func isOf(_ other: DeviceInfo, by otherRule: DeviceRule) -> Bool {
            device.id == other.id && rule.expectsTheSame(as: otherRule)
        }
    }

    private let rules: [DeviceRule]
    private var expectations: [Expectation]
    private var watches: [Watch] = []
    /// Removed devices that were reported as silent. Plugging one in again does not count as a sign of life.
    private var removedSilent: [Watch] = []

    /// Starts to count at the first `update`; returns nil if no rule expects a device.
    init?(rules: [DeviceRule]) {
        guard rules.contains(where: { $0.absence != nil || $0.silence != nil }) else { return nil }
        self.rules = rules
        expectations = rules.filter { $0.absence != nil }.map { Expectation(rule: $0) }
    }

    /// Replaces the rules from the next `update` on. A rule that expects the same as a previous one keeps its reports
    /// and counts, even at another position in the file.
    init?(rules: [DeviceRule], after previous: DevicePresence?) {
        self.init(rules: rules)
        guard let previous else { return }
        var expected = previous.expectations
        for index in expectations.indices {
            let rule = expectations[index].rule
            guard let was = expected.firstIndex(where: { $0.rule.expectsTheSame(as: rule) }) else { continue }
            expectations[index].missingSince = expected[was].missingSince
            expectations[index].isReported = expected[was].isReported
            expected.remove(at: was)
        }
        // `update` decides which rule now watches a device.
        watches = previous.watches
        removedSilent = previous.removedSilent
    }

    /// How many rules are reported to have no device.
    var missingCount: Int { expectations.count { $0.isReported } }

    /// How many devices are reported as silent.
    var silentCount: Int { watches.count { $0.isReported } }

    /// The next moment at which a limit is reached if no device is added, removed or sends a frame; nil for never.
    var deadline: InputTimestamp? {
        (expectations.compactMap(\.due) + watches.compactMap(\.due)).min()
    }

    /// Updates the present devices; call it at startup and after each hotplug event.
    mutating func update(_ devices: [DeviceInfo], at now: InputTimestamp) -> [Change] {
        let used = devices.filter { $0.use == .used }
        var changes: [Change] = []
        for index in expectations.indices {
            let label = expectations[index].rule.label
            if let device = used.first(where: { $0.settings.rules.contains(label) }) {
                if expectations[index].isReported { changes.append(.returned(expectations[index].rule, device)) }
                expectations[index].missingSince = nil
                expectations[index].isReported = false
            } else if expectations[index].missingSince == nil {
                expectations[index].missingSince = now
            }
        }
        let before = watches
        watches = used.compactMap { device in
            // As with every other setting, the last rule wins.
            guard let rule = rules.last(where: { $0.silence != nil && device.settings.rules.contains($0.label) })
            else { return nil }
            var watch = Watch(rule: rule, device: device, lastActivity: now)
            if let was = before.first(where: { $0.isOf(device, by: rule) }) {
                watch.isReported = was.isReported
                // A different device node means that the device was replugged.
                if was.device.path == device.path { watch.lastActivity = was.lastActivity }
            } else {
                watch.isReported = removedSilent.contains { $0.isOf(device, by: rule) }
            }
            return watch
        }
        let present = Set(used.map(\.id))
        removedSilent = (removedSilent + before.filter(\.isReported)).filter { !present.contains($0.device.id) }
        return changes
    }

    /// Records that a device sent a frame. Called for every frame, so it is cheap.
    ///
    /// A frame of cancellations alone does not count: touchd makes it up when a device is closed or removed.
    mutating func noteActivity(_ frame: borrowing InputFrame) -> Change? {
        for index in watches.indices where watches[index].device.id == frame.device {
            if frame.hasOnlyCancellations { return nil }
            watches[index].lastActivity = max(watches[index].lastActivity, frame.timestamp)
            guard watches[index].isReported else { return nil }
            watches[index].isReported = false
            return .resumed(watches[index].rule, watches[index].device)
        }
        return nil
    }

    /// The limits reached until now, in the order of the rules and of the devices.
    mutating func changes(at now: InputTimestamp) -> [Change] {
        var changes: [Change] = []
        for index in expectations.indices {
            guard let due = expectations[index].due, due <= now else { continue }
            expectations[index].isReported = true
            changes.append(.absent(expectations[index].rule))
        }
        for index in watches.indices {
            // A driver may set a time in the future.
            watches[index].lastActivity = min(watches[index].lastActivity, now)
            guard let due = watches[index].due, due <= now else { continue }
            watches[index].isReported = true
            let watch = watches[index]
            changes.append(.silent(watch.rule, watch.device, since: watch.lastActivity))
        }
        return changes
    }
}

nonisolated extension DeviceRule {
    /// Whether both rules expect the same of the same devices; their other settings do not matter here.
    fileprivate func expectsTheSame(as other: DeviceRule) -> Bool {
        match == other.match && absence == other.absence && silence == other.silence
    }
}

nonisolated extension InputTimestamp {
    fileprivate func adding(_ duration: Duration) -> InputTimestamp {
        InputTimestamp(microseconds: (Deadline(nanoseconds: nanoseconds) + duration).nanoseconds / 1000)
    }
}

extension InputTimestamp {
    /// The current time on the clock of input events.
    static var now: InputTimestamp {
        InputTimestamp(microseconds: Deadline.now.nanoseconds / 1000)
    }
}
