import Evdev

/// Which devices that somebody counts on are missing, and which are there and say nothing.
///
/// A kiosk whose screen fell off its cable looks to everyone but its visitors like one that nobody touches. Rules say what
/// is expected (`absence`, `silence`); this says what becomes of it, when. It has no clock of its own: whoever asks says
/// what time it is, and asks again at `deadline`. Only devices that are used count.
nonisolated struct DeviceAttendance: Sendable {
    /// What is worth telling; each is told once until the opposite was.
    enum News: Sendable, Equatable {
        /// No device that fulfils the rule has been there for as long as the rule allows.
        case absent(DeviceRule)
        /// After that, one is there.
        case returned(DeviceRule, DeviceInfo)
        /// A device has said nothing for as long as the rule allows.
        case silent(DeviceRule, DeviceInfo)
        /// After that, it said something.
        case spoke(DeviceRule, DeviceInfo)
    }

    private struct Expectation {
        var rule: DeviceRule
        var absence: Int64
        var missingSince: Int64?
        var isTold = false

        var due: Int64? { isTold ? nil : missingSince.map { $0.adding(absence) } }
    }

    private struct Watch {
        var rule: DeviceRule
        var device: DeviceInfo
        var silence: Int64
        var lastHeard: Int64
        var isTold = false

        var due: Int64? { isTold ? nil : lastHeard.adding(silence) }

        func isOf(_ other: DeviceInfo, by otherRule: DeviceRule) -> Bool {
            device.id == other.id && rule.expectsTheSame(as: otherRule)
        }
    }

    private let rules: [DeviceRule]
    private var expectations: [Expectation]
    private var watches: [Watch] = []
    /// Devices that were told silent and are gone: plugging them in again is no word from them.
    private var goneSilent: [Watch] = []

    /// Begins to count at the first `update`; nil if no rule asks for anything.
    init?(rules: [DeviceRule]) {
        guard rules.contains(where: { $0.absence != nil || $0.silence != nil }) else { return nil }
        self.rules = rules
        expectations = rules.compactMap { rule in
            rule.absence.map { Expectation(rule: rule, absence: $0.microseconds) }
        }
    }

    /// Counts by other rules from the next `update` on; of a rule that says the same as before, wherever it stands now,
    /// what was told and what was counted up to here holds.
    init?(rules: [DeviceRule], after previous: DeviceAttendance?) {
        self.init(rules: rules)
        guard let previous else { return }
        var expected = previous.expectations
        for index in expectations.indices {
            let rule = expectations[index].rule
            guard let was = expected.firstIndex(where: { $0.rule.expectsTheSame(as: rule) }) else { continue }
            expectations[index].missingSince = expected[was].missingSince
            expectations[index].isTold = expected[was].isTold
            expected.remove(at: was)
        }
        // Which of the rules a device is watched by now is for `update` to say.
        watches = previous.watches
        goneSilent = previous.goneSilent
    }

    /// When there may be news though no device comes, goes or speaks; nil for never.
    var deadline: InputTimestamp? {
        (expectations.compactMap(\.due) + watches.compactMap(\.due)).min().map { InputTimestamp(microseconds: $0) }
    }

    /// Takes the devices there are now: at the start, and whenever one came or went.
    mutating func update(_ devices: [DeviceInfo], at now: InputTimestamp) -> [News] {
        let used = devices.filter { $0.use == .used }
        var news: [News] = []
        for index in expectations.indices {
            let label = expectations[index].rule.label
            if let device = used.first(where: { $0.settings.rules.contains(label) }) {
                if expectations[index].isTold { news.append(.returned(expectations[index].rule, device)) }
                expectations[index].missingSince = nil
                expectations[index].isTold = false
            } else if expectations[index].missingSince == nil {
                expectations[index].missingSince = now.microseconds
            }
        }
        let before = watches
        watches = used.compactMap { device in
            // As with every other setting, the last rule wins.
            guard let rule = rules.last(where: { $0.silence != nil && device.settings.rules.contains($0.label) }),
                let silence = rule.silence
            else { return nil }
            var watch = Watch(rule: rule, device: device, silence: silence.microseconds, lastHeard: now.microseconds)
            if let was = before.first(where: { $0.isOf(device, by: rule) }) {
                watch.isTold = was.isTold
                // A device at another node was plugged in anew.
                if was.device.path == device.path { watch.lastHeard = was.lastHeard }
            } else {
                watch.isTold = goneSilent.contains { $0.isOf(device, by: rule) }
            }
            return watch
        }
        let present = Set(used.map(\.id))
        goneSilent = (goneSilent + before.filter(\.isTold)).filter { !present.contains($0.device.id) }
        return news
    }

    /// Takes note that a device said something; called for every frame, so it is cheap.
    mutating func heard(_ device: DeviceID, at now: InputTimestamp) -> News? {
        for index in watches.indices where watches[index].device.id == device {
            watches[index].lastHeard = now.microseconds
            guard watches[index].isTold else { return nil }
            watches[index].isTold = false
            return .spoke(watches[index].rule, watches[index].device)
        }
        return nil
    }

    /// What has become news by now, in the order of the rules and of the devices.
    mutating func news(at now: InputTimestamp) -> [News] {
        var news: [News] = []
        for index in expectations.indices {
            guard let due = expectations[index].due, due <= now.microseconds else { continue }
            expectations[index].isTold = true
            news.append(.absent(expectations[index].rule))
        }
        for index in watches.indices {
            guard let due = watches[index].due, due <= now.microseconds else { continue }
            watches[index].isTold = true
            news.append(.silent(watches[index].rule, watches[index].device))
        }
        return news
    }
}

nonisolated extension DeviceRule {
    /// Whether the rules expect the same of the same devices; what else they set is no matter of attendance.
    fileprivate func expectsTheSame(as other: DeviceRule) -> Bool {
        match == other.match && absence == other.absence && silence == other.silence
    }
}

nonisolated extension Int64 {
    /// The sum, or the greatest number where it cannot be counted.
    fileprivate func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

nonisolated extension Duration {
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : scaled.adding(attoseconds / 1_000_000_000_000)
    }
}
