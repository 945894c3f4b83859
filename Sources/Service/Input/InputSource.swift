import Basics
import ControlProtocol
import Evdev
import EventLoop
import Handlers
import Layout
import Logging
import TouchKit

/// What goes into the application's queue: the frames of the devices, or of the recording that is played.
final class InputSource {
    private let context: DaemonContext
    private let listeners: Listeners
    /// Forwards the touches of panels whose rules have `forward`.
    private(set) lazy var forwarder = PanelForwarder(loop: context.loop) { [unowned self] in report($0, $1) }

    private var rules: [DeviceRule] = []
    private var monitor: DeviceMonitor?
    private(set) var presence: PresenceTimer?
    private var player: RecordingPlayer?
    /// A recording whose first event has not arrived, and what waits for it.
    private var opening: RecordingReader?
    private var arrival: DescriptorSource?
    private var scene: Scene?
    private var history: TouchHistory?

    /// Called when the status line may have changed.
    var statusChanged: () -> Void = {}
    /// Called when a recording has ended, with the error if one ended it.
    var didEnd: ((any Error)?) -> Void = { _ in }

    init(_ context: DaemonContext, listeners: Listeners) { (self.context, self.listeners) = (context, listeners) }

    /// The devices, or the device of the recording that is played.
    var devices: [DeviceInfo] { monitor?.devices ?? player.map { [$0.info] } ?? [] }
    /// The devices, after a check for grabs by other processes.
    var reportedDevices: [DeviceInfo] {
        monitor?.testGrabs()
        return devices
    }
    /// The present, on the clock of the devices' frames.
    var time: InputTimestamp { player?.lastTime ?? .now }

    /// Applies a layout: its screens, device rules and recording of the last minutes.
    func follow(_ document: LayoutDocument, _ scene: Scene, _ history: TouchHistory?) {
        (self.scene, self.history) = (scene, history)
        monitor?.contactObserver = history?.opened
        player?.history = history
        limitTouchAge(by: document.watchdog)
        forwarder.follow(
            forwardsByDefault: document.forward.isDefault, cooldown: document.forward.cooldown,
            liftsCancelled: document.forward.liftsCancelled)
        apply(document.devices + VirtualDevice.deviceRules)
        for device in devices { place(device) }
    }

    /// Pauses a recording, because standard output's reader is behind.
    func pausePlayer(_ pauses: Bool) { player?.isPaused = pauses }

    /// Assigns the screen that the layout's rules name to a device. Touches that are down stay on their screen.
    private func place(_ device: DeviceInfo) {
        guard let scene else { return }
        context.application.setScreen(scene.screen(named: device.settings.target) ?? .main, for: device.id)
        if device.role.kind == .touchscreen { context.application.panels.insert(device.id) }
    }

    /// Drops touches that waited for too long; never those of a recording, whose clock is another one.
    func limitTouchAge(by spec: WatchdogSpec) {
        context.application.touchAgeLimit = context.options.source.isLive ? spec.touchAge / .seconds(1) : nil
    }

    func start() throws {
        switch context.options.source {
        case .devices:
            let monitor = DeviceMonitor(
                loop: context.loop, rules: rules,
                onFrame: { [self] frame in
                    presence?.noteActivity(frame)
                    context.application.enqueue(frame)
                },
                onChange: { [self] change in changed(change) },
                onResume: { [logger = context.logger] slept in
                    logger.info(
                        "the machine was suspended for \(slept.components.seconds) s; reopening devices",
                        metadata: MessageID.resumed.metadata)
                },
                onError: { [logger = context.logger] error in
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
            opening = try RecordingReader(opening: path, description: description, device: device)
            try openRecording(at: path, speed: speed)
        }
    }

    /// Starts the replay as soon as the first event has arrived; that of a pipe may take its time.
    private func openRecording(at path: String, speed: RecordingPlayer.Speed) throws {
        guard try opening?.open() == false, let descriptor = opening?.descriptor else {
            if let reader = opening.take() { try startReplay(reader, of: path, speed: speed) }
            return
        }
        let source = DescriptorSource(name: "replay", descriptor: descriptor) { [unowned self] _ in
            arrival?.invalidate()
            arrival = nil
            do { try openRecording(at: path, speed: speed) } catch { didEnd(error) }
        }
        arrival = try context.loop.add(source)
    }

    /// Applies the rules of another layout. Devices are reopened only if their settings change.
    private func apply(_ new: [DeviceRule]) {
        guard new != rules else { return }
        let sayTheSame = new.elementsEqual(rules) { $0.hasSameSettings(as: $1) }
        rules = new
        guard sayTheSame else { return reopenDevices() }
        guard let monitor else { return }
        monitor.relabel(rules)
        watchDevicePresence(after: presence)
    }

    /// Reopens the devices with the current rules; does nothing while they are not open.
    private func reopenDevices() {
        // While devices are reopened, their rules' labels are already the new ones.
        let before = presence
        presence = nil
        do {
            try monitor?.reopen(rules: rules)
            forwarder.removeClosed()
            watchDevicePresence(after: before)
        } catch {
            presence = before
            context.logger.error("\(error)", metadata: MessageID.deviceFailed.metadata)
        }
    }

    /// Closes the source that `start()` opened. Contacts that are down are queued as cancelled.
    func stop() {
        monitor?.stop()
        forwarder.removeAll()
        player?.stop()
        arrival?.invalidate()
        // Breaks the retain cycle between the daemon and the open sources.
        monitor = nil
        presence = nil
        player = nil
        arrival = nil
        opening = nil
    }

    private func startReplay(
        _ reader: consuming RecordingReader, of path: String, speed: RecordingPlayer.Speed
    ) throws {
        for line in reader.remarks { context.logger.notice("\(path): \(line)") }
        let player = context.application.player(reader, path: path, rules: rules, on: context.loop, speed: speed) {
            [self] error in finishReplay(error)
        }
        context.deviceNames[player.info.id] = player.info.description.name
        place(player.info)
        if case .ignored(let reason) = player.info.use {
            context.logger.warning("\(path): live, touchd would ignore this device: \(reason)")
        }
        player.history = history
        self.player = player
        player.start()
    }

    private func finishReplay(_ error: RecordingError?) {
        // Lets waiting recognizers time out, as ten more seconds without a touch would.
        if let last = player?.lastTime {
            context.application.advanceTime(to: last.adding(microseconds: 10_000_000))
        }
        // The output's reader may be behind; a signal ends the wait.
        listeners.whenWritten { [self] in didEnd(error) }
    }

    /// Records a device change and reports it to log, journal and subscribers.
    func changed(_ change: DeviceChange) {
        switch change {
        case .added(let device):
            context.deviceNames[device.id] = device.description.name
            place(device)
            publish(.added, device)
            log(.info, "\(device.path): using \(device.description.name)", .deviceAdded, device)
            if device.isHeld {
                log(
                    .warning, "\(device.path): \(device.description.name) is \(DeviceInfo.heldNote)", .deviceFailed,
                    device)
            }
            for note in device.notes {
                log(.warning, "\(device.path): \(device.description.name): \(note)", .deviceAdded, device)
            }
        case .notGrabbed(let device, let error):
            context.deviceNames[device.id] = device.description.name
            place(device)
            publish(.added, device, "\(error)")
            log(.warning, "using \(device.description.name) without grabbing it: \(error)", .deviceFailed, device)
        case .removed(let device):
            context.application.enqueueRemoval(of: device.id, at: .now)
            forwarder.remove(device.id)
            publish(.removed, device)
            log(.info, "\(device.path): \(device.description.name) is gone", .deviceRemoved, device)
        case .ignored(let device):
            publish(.ignored, device)
            context.logger.debug("\(device.path): not using \(device.description.name)")
        case .failed(let device):
            guard case .failed(let error) = device.use else { return }
            context.application.enqueueRemoval(of: device.id, at: .now)
            forwarder.remove(device.id)
            context.counts.deviceErrors += 1
            publish(.failed, device, device.use.reason)
            log(.error, "\(error)", .deviceFailed, device)
        }
        updatePresence()
        statusChanged()
    }

    private func publish(_ change: DeviceRecord.Change, _ device: DeviceInfo, _ reason: String? = nil) {
        listeners.subscribers.send(.devices) {
            DeviceRecord(change: change, name: device.description.name, path: device.path, reason: reason)
        }
    }

    private func log(_ level: Logger.Level, _ message: String, _ identity: MessageID, _ device: DeviceInfo) {
        log(level, message, identity, device.description.name)
    }
}

extension InputSource {
    /// Starts to monitor the devices that the layout's rules expect.
    /// - Parameter before: The presence by the previous rules.
    private func watchDevicePresence(after before: PresenceTimer?) {
        presence = PresenceTimer(rules: rules, after: before, loop: context.loop) { [unowned self] changes in
            report(changes)
        }
        updatePresence()
    }

    private func updatePresence() {
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
                .deviceBack, device.description.name, expected: rule.match.name?.text ?? "")
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
                context.runner.perform(binding.step, for: HandlerContext(trigger, .device(device)))
            }
        }
    }

    private func log(
        _ level: Logger.Level, _ message: String, _ identity: MessageID, _ device: String?, expected: String? = nil
    ) {
        var metadata = identity.metadata
        if let expected { metadata["TOUCHD_EXPECTED"] = "\(expected)" }
        if let device { metadata["TOUCHD_DEVICE"] = "\(device)" }
        context.logger.log(level: level, "\(message)", metadata: metadata)
    }
}

/// The touches that also reach the program that draws the screen.
extension InputSource {
    /// Gives the panels back to the program that draws while the run loop is blocked; nil while no panel is forwarded.
    var panelLimit: LoopWatch.Limit? {
        guard forwarder.hasPanels else { return nil }
        // Repeated, because a panel to which the main thread is writing just then cannot be released.
        return LoopWatch.Limit(duration: .seconds(1), repeats: true) { [logger = context.logger, forwarder] in
            // Runs on another thread, because the main thread is blocked.
            for panel in forwarder.releasePanels() {
                var metadata = MessageID.panelReleased.metadata
                metadata["TOUCHD_DEVICE"] = "\(panel)"
                logger.critical(
                    """
                    touchd has not returned to its run loop for 1 s: \(panel) is not grabbed any more, so that the \
                    program that draws gets its touches directly
                    """,
                    metadata: metadata)
            }
        }
    }

    private func report(_ device: DeviceInfo, _ state: PanelForwarder.State) {
        let name = "\(device.path): \(device.description.name)"
        switch state {
        case .forwards(let node): log(.info, "\(name) is forwarded as \(node)", .panelForwarded, device)
        case .waits:
            log(.notice, "\(name) is forwarded as soon as no finger is down on it", .panelForwarded, device)
        case .failed(let reason): log(.error, "\(name) is not forwarded: \(reason)", .notForwarded, device)
        }
        publish(state.remark == nil ? .forwarded : .notForwarded, device, state.remark)
        statusChanged()
    }
}
