import Basics
import ControlProtocol
import Evdev
import EventLoop
import Handlers
import Layout
import Logging
import Outputs

extension EventPath {
    func startSource() throws {
        switch options.source {
        case .devices:
            let monitor = DeviceMonitor(
                loop: loop, rules: deviceRules,
                onFrame: { [self] frame in
                    presence?.noteActivity(frame)
                    application.enqueue(frame)
                },
                onChange: { [self] change in changed(change) },
                onResume: { [logger] slept in
                    logger.info(
                        "the machine was suspended for \(slept.components.seconds) s; reopening devices",
                        metadata: MessageID.resumed.metadata)
                },
                onError: { [logger] error in
                    logger.error(
                        "devices could not be reopened after the suspend: \(error)",
                        metadata: MessageID.deviceFailed.metadata)
                })
            monitor.contactObserver = history?.opened
            monitor.forwarding = forwarder.callbacks
            self.monitor = monitor
            try monitor.start()
            watchDevicePresence(after: nil)
        case .recording(let path, let description, let speed, let device):
            let reader = try RecordingReader(path: path, description: description, device: device)
            for line in reader.choice { logger.notice("\(path): \(line)") }
            try startReplay(reader, of: path, speed: speed)
        }
    }

    /// Applies the rules of another layout. Devices are reopened only if their settings change.
    func apply(deviceRules rules: [DeviceRule]) {
        guard rules != deviceRules else { return }
        let sayTheSame = rules.elementsEqual(deviceRules) { $0.hasSameSettings(as: $1) }
        deviceRules = rules
        guard sayTheSame else { return reopenDevices() }
        guard let monitor else { return }
        monitor.relabel(rules)
        watchDevicePresence(after: presence)
    }

    /// Reopens the devices with the current rules; does nothing while they are not open.
    func reopenDevices() {
        // While devices are reopened, their rules' labels are already the new ones.
        let before = presence
        presence = nil
        do {
            try monitor?.reopen(rules: deviceRules)
            forwarder.removeClosed()
            watchDevicePresence(after: before)
        } catch {
            presence = before
            logger.error("\(error)", metadata: MessageID.deviceFailed.metadata)
        }
    }

    /// Closes the source that `startSource()` opened. Contacts that are down are queued as cancelled.
    func stopSource() {
        monitor?.stop()
        forwarder.removeAll()
        player?.stop()
        // Breaks the retain cycle between the daemon and the open sources.
        monitor = nil
        presence = nil
        player = nil
    }

    private func startReplay(
        _ reader: consuming RecordingReader, of path: String, speed: RecordingPlayer.Speed
    ) throws {
        let player = RecordingPlayer(
            reader, path: path, loop: loop, speed: speed, rules: deviceRules,
            // Each frame is delivered alone: if the queue coalesced moves, the output would depend on the speed.
            onFrame: { [application] frame in
                application.enqueue(frame)
                application.drainEvents()
            },
            onEnd: { [self] error in
                finishReplay(error)
            })
        deviceNames[player.info.id] = player.info.description.name
        place(player.info)
        if case .ignored(let reason) = player.info.use {
            logger.warning("\(path): live, touchd would ignore this device: \(reason)")
        }
        player.history = history
        self.player = player
        player.start()
    }

    private func finishReplay(_ error: RecordingError?) {
        // Lets waiting recognizers time out, as ten more seconds without a touch would.
        if let last = player?.lastTime {
            application.advanceTime(to: last.adding(microseconds: 10_000_000))
        }
        // The output's reader may be behind; a signal ends the wait.
        standardOutput.whenWritten { [self] in didEnd(error) }
    }

    /// Records a device change and reports it to log, journal and subscribers.
    func changed(_ change: DeviceChange) {
        switch change {
        case .added(let device):
            deviceNames[device.id] = device.description.name
            place(device)
            publish(.added, device)
            log(.info, "\(device.path): using \(device.description.name)", .deviceAdded, device)
            if device.isHeld {
                log(
                    .warning, "\(device.path): \(device.description.name) is \(DeviceInfo.heldNote)", .deviceFailed,
                    device)
            }
            if let note = device.restingNote {
                log(.warning, "\(device.path): \(device.description.name): \(note)", .deviceAdded, device)
            }
        case .notGrabbed(let device, let error):
            deviceNames[device.id] = device.description.name
            place(device)
            publish(.added, device, "\(error)")
            log(.warning, "using \(device.description.name) without grabbing it: \(error)", .deviceFailed, device)
        case .removed(let device):
            application.enqueueRemoval(of: device.id, at: .now)
            forwarder.remove(device.id)
            publish(.removed, device)
            log(.info, "\(device.path): \(device.description.name) is gone", .deviceRemoved, device)
        case .ignored(let device):
            publish(.ignored, device)
            logger.debug("\(device.path): not using \(device.description.name)")
        case .failed(let device):
            guard case .failed(let error) = device.use else { return }
            application.enqueueRemoval(of: device.id, at: .now)
            forwarder.remove(device.id)
            counts.deviceErrors += 1
            publish(.failed, device, device.use.reason)
            log(.error, "\(error)", .deviceFailed, device)
        }
        updatePresence()
        statusChanged()
    }

    func publish(_ change: DeviceRecord.Change, _ device: DeviceInfo, _ reason: String? = nil) {
        subscribers.send(.devices) {
            DeviceRecord(change: change, name: device.description.name, path: device.path, reason: reason)
        }
    }

    func log(_ level: Logger.Level, _ message: String, _ identity: MessageID, _ device: DeviceInfo) {
        log(level, message, identity, device.description.name)
    }
}

extension EventPath {
    /// Starts to monitor the devices that the layout's rules expect.
    /// - Parameter before: The presence by the previous rules.
    func watchDevicePresence(after before: PresenceTimer?) {
        presence = PresenceTimer(rules: deviceRules, after: before, loop: loop) { [unowned self] changes in
            report(changes)
        }
        updatePresence()
    }

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
                    + " for longer than the rule at \(rule.label) allows (\(rule.silence?.timeText ?? ""))",
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
                runner.perform(binding.step, for: HandlerContext(trigger, .device(device)))
            }
        }
    }

    func log(_ level: Logger.Level, _ message: String, _ identity: MessageID, _ device: String?) {
        var metadata = identity.metadata
        if let device { metadata["TOUCHD_DEVICE"] = "\(device)" }
        logger.log(level: level, "\(message)", metadata: metadata)
    }
}
