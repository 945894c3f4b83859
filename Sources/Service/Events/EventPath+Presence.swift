import ControlProtocol
import Evdev
import Layout
import Logging

extension EventPath {
    /// Starts to monitor the devices that the layout's rules expect.
    /// - Parameter before: The presence by the previous rules.
    func watchDevicePresence(after before: PresenceTimer?) {
        presence = PresenceTimer(rules: deviceRules, after: before, loop: loop) { [unowned self] changes in
            report(changes)
        }
        updatePresence()
    }

    /// Passes the present devices to the timer.
    func updatePresence() {
        if let monitor { presence?.update(monitor.devices) }
    }

    private func report(_ changes: DevicePresence.Change) {
        switch changes {
        case .absent(let rule):
            log(
                .warning,
                "an expected device is missing: no readable device matches the rule at \(rule.label)"
                    + (rule.match.name.map { ": \($0.text)" } ?? ""), .deviceAbsent, rule.match.name?.text)
            perform(.absent, of: rule, for: rule.match.name?.text ?? rule.label)
        case .returned(let rule, let device):
            log(
                .info, "\(device.path): \(device.description.name) is back, as the rule at \(rule.label) expects",
                .deviceBack, device.description.name)
            perform(.back, of: rule, for: device.description.name)
        case .silent(let rule, let device, let since):
            let isHeard = monitor?.lastEvent(of: device.id).map { $0 > since } ?? false
            log(
                .warning,
                "\(device.path): \(device.description.name) "
                    + (isHeard
                        ? "sends events, but all its touches have been dropped by its rules ('filter', 'pressure') or as "
                            + "palms" : "has sent no events")
                    + " for longer than the rule at \(rule.label) allows (\(rule.silence?.text ?? ""))",
                .deviceSilent, device.description.name)
            perform(.silent, of: rule, for: device.description.name)
        case .resumed(let rule, let device):
            log(
                .info, "\(device.path): \(device.description.name) sends events again", .deviceBack,
                device.description.name)
            perform(.back, of: rule, for: device.description.name)
        }
    }

    /// Performs the steps of the rule's `on:`.
    private func perform(_ trigger: HandlerBinding.Trigger, of rule: DeviceRule, for device: String) {
        for handlers in scene?.document.deviceHandlers ?? [] where handlers.rule == rule.label {
            for binding in handlers.on where binding.trigger == trigger {
                runner.perform(binding.step, for: Occasion(trigger, .device(device)))
            }
        }
    }

    func log(_ level: Logger.Level, _ message: String, _ identity: MessageID, _ device: String?) {
        var metadata = identity.metadata
        if let device { metadata["TOUCHD_DEVICE"] = "\(device)" }
        logger.log(level: level, "\(message)", metadata: metadata)
    }
}

extension Duration {
    /// The duration in the largest unit that divides it: `10 min`.
    fileprivate var text: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        for (name, unit) in [("h", 3_600_000), ("min", 60_000), ("s", 1000)] where milliseconds % Int64(unit) == 0 {
            return "\(milliseconds / Int64(unit)) \(name)"
        }
        return "\(milliseconds) ms"
    }
}
