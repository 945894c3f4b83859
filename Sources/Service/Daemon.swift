import Basics
import CLinux
import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Glibc
import Handlers
import Layout
import Logging
import Outputs
import TouchKit

/// The daemon: run loop, devices, application, layout and log.
///
/// `touchd run` is a thin command line over it. Use it the same way in your program:
///
/// ```swift
/// let daemon = Daemon(.init(layout: "kiosk.yaml", output: .text))
/// daemon.handlers.register("greet") { touch, _ in print("hello, touch \(touch.id)") }
/// try daemon.run()
/// ```
public final class Daemon {
    /// The options of a daemon.
    package typealias Options = DaemonOptions

    /// touchd's version.
    package nonisolated static let version = StatusReport.currentVersion

    /// The options that the daemon was created with.
    package var options: DaemonOptions { context.options }
    /// The application that touches are delivered to.
    public var application: Application { context.application }
    /// The handlers a layout can name; register yours before `run()`.
    public var handlers: HandlerRegistry { context.handlers }
    /// Runs handlers; reports the running handler and failures.
    package var runner: HandlerRunner { context.runner }

    private let context: DaemonContext
    private let listeners: Listeners
    private let input: InputSource
    private let reporter: EventReporter
    private let observers: TouchObservers
    private let layout: LayoutHost
    private lazy var control = ControlHost(
        context, input: input, observers: observers, subscribers: listeners.subscribers, layout: layout,
        report: { [unowned self] in report })
    private lazy var network = NetworkHost(
        runner.network, loop: context.loop, logger: context.logger, state: { [unowned self] in kioskState },
        perform: { [unowned self] (command) -> ControlError? in
            do throws(ControlError) { try control.perform(command) } catch { return error }
            return nil
        }, takeDatagrams: { [unowned self] in observers.tuio?.send(through: $0) })
    private lazy var statusLine = StatusLine(
        loop: context.loop, text: { [unowned self] in statusText }, send: { ServiceManager.status($0) })
    private let programJournal: ProgramJournal?
    private let watchdog: Watchdog
    private var failure: (any Error)?

    /// Creates a daemon; nothing is opened or read yet.
    public init(_ options: DaemonOptions, application: Application = .shared) {
        let loop = EpollRunLoop.main
        let journal = options.output == .journal ? JournalSender(loop: loop) : nil
        programJournal = journal.map { ProgramJournal($0) }
        let logger = Logger(label: "touchd") { _ -> any LogHandler in
            journal.map { JournalLogHandler($0) } ?? ConsoleLogHandler(.errors(of: loop))
        }
        context = DaemonContext(options, application: application, loop: loop, logger: logger)
        context.runner.programs.log = programJournal
        listeners = Listeners(context, journal: journal)
        input = InputSource(context, listeners: listeners)
        reporter = EventReporter(context, listeners: listeners)
        observers = TouchObservers(context, forwarder: input.forwarder, reporter: reporter)
        layout = LayoutHost(context, input: input, observers: observers, reporter: reporter)
        watchdog = Watchdog(loop: loop, logger: logger, running: context.runner.running)
    }

    private func connect() {
        // It takes the reports from now on.
        _ = network
        reporter.statusChanged = { [unowned self] in
            statusLine.setNeedsUpdate()
            network.setNeedsUpdate()
        }
        input.statusChanged = reporter.statusChanged
        input.didEnd = { [unowned self] error in
            failure = failure ?? error
            stop()
        }
        listeners.didEnd = input.didEnd
        listeners.pausesPlayer = { [unowned self] in input.pausePlayer($0) }
        observers.tuioDidFail = { [runner] in runner.network.renewDatagrams(after: $0) }
        layout.didLoad = { [unowned self] path in
            watchdog.spec = layout.scene?.document.watchdog ?? WatchdogSpec()
            control.slots.publishAgain()
            control.publish(layout: path)
            network.follow(layout.scene?.document.mqtt)
        }
        layout.didReload = { [unowned self] in ServiceManager.ready(status: statusLine.sentWithOther()) }
        input.forwarder.hasPanelsChanged = { [unowned self] in watchdog.panelLimit = input.panelLimit }
    }

    /// Delivers touches until `stop()`, SIGTERM or SIGINT, or until the end of a recording.
    ///
    /// SIGHUP reloads the layout. In a terminal, which sends it when it closes, it ends the run as SIGTERM does. Every touch
    /// that is down is cancelled before the method returns.
    /// - Throws: A `LayoutError`, or the error that prevented opening the devices, the recording or the control socket.
    public func run() throws {
        // A closed or full standard output is detected by the write; the default action of the signals would kill the
        // process silently.
        WriteSignals.ignore()
        // Prevents other processes of the user, such as touchd on another seat, from accessing this process's memory.
        if ServiceManager.isService { _ = set_dumpable(0) }
        let hasTerminal = (STDIN_FILENO...STDERR_FILENO).contains { isatty($0) == 1 }
        // nohup(1) ignores it.
        let hangup = is_signal_ignored(SIGHUP) ? [] : [SIGHUP]
        let signals = try context.loop.add(
            UnixSignalSource(signals: [SIGTERM, SIGINT] + hangup) { [self] signal in
                if signal == SIGHUP, !hasTerminal { layout.reload() } else { stop() }
            })
        defer { signals.invalidate() }

        // Foundation's run loop needs an eventfd, an epoll set and a timerfd, and traps without them.
        try EpollRunLoop.requireDescriptors(3)
        _ = RunLoop.current
        connect()
        observers.start()
        // The application may live on, and would keep the daemon.
        defer { observers.stop() }
        application.didReport = { [logger = context.logger, counts = context.counts] diagnostic in
            switch diagnostic {
            case .touchDropped:
                counts.touches.stale += 1
                logger.warning("\(diagnostic)", metadata: MessageID.handlerSlow.metadata)
            case .eventDiscarded: logger.debug("\(diagnostic)")
            default: logger.warning("\(diagnostic)")
            }
        }
        application.attach(to: context.loop, followsClock: options.source.isLive)
        input.limitTouchAge(by: WatchdogSpec())
        // Before the layout, so that messages published when its first page appears reach subscribers.
        try control.start()
        defer { control.close() }
        let flush = listeners.start(hasClients: control.server != nil)
        defer { flush?.invalidate() }
        if let path = options.layout { try layout.show(layoutAt: path) }
        guard application.finishLaunching() else { return }
        try input.start()
        // Only now, so that the startup is not counted as the first callback.
        try watchdog.measure(isLive: options.source.isLive)
        context.logger.info("touchd \(Self.version) is ready", metadata: MessageID.started.metadata)
        if options.source.isLive, !input.devices.contains(where: { $0.use == .used }) {
            context.logger.notice(
                "no touchscreen or mouse is in use yet; run 'touchd devices' to see each device and why it is not used")
        }
        ServiceManager.ready(status: statusLine.sentWithOther())
        watchdog.start()
        application.run(on: context.loop)

        ServiceManager.stopping()
        input.stop()
        application.drainEvents()
        // The source has cancelled its touches; a program may have queued others that no device will end.
        application.cancelAllTouches()
        application.terminate()
        // A tool that plays a recording ends when its messages have arrived; the service ends at once.
        runner.close(waitsForNetwork: !options.source.isLive)
        statusLine.invalidate()
        watchdog.stop()
        layout.finish()
        observers.tuio?.finish()
        listeners.finish()
        if let failure { throw failure }
    }

    /// Stops `run()`; call it on the main actor.
    public func stop() { context.loop.stop() }
}

extension Daemon {
    /// The line that `systemctl status` shows.
    var statusText: StatusLine.Text {
        if let refusal = layout.refusal {
            let used = refusal.lastGood == nil ? "the one before it stays" : "the last good one is used"
            return ("Layout refused, \(used): \(refusal.reason)", false)
        }
        var parts: [String]
        switch options.source {
        case .devices:
            let used = input.devices.count { $0.use == .used }
            parts = [used == 0 ? "No input device yet" : "Reading \(used) device\(used == 1 ? "" : "s")"]
        case .recording(let path, _, _, _):
            parts = ["Replaying \(path)"]
        }
        let pages = layout.scene?.currentPages ?? []
        if !pages.isEmpty { parts.append("page \(pages.joined(separator: ", "))") }
        let touches = context.counts.touchesPerMinute()
        if touches > 0 { parts.append("\(touches) touch\(touches == 1 ? "" : "es") in the last minute") }
        return (parts.joined(separator: ", "), touches > 0)
    }

    /// The whole state: what `counts` has, and what others know.
    var report: StatusReport {
        var report = context.counts.current()
        report.process = getpid()
        // A client may be in another folder.
        report.layout = options.layout.map { URL(filePath: $0).path }
        report.layoutVersion = layout.scene?.document.version
        report.layoutHash = layout.scene?.document.fileHash
        report.refusal = layout.refusal?.reason
        report.lastGood = layout.refusal?.lastGood?.utcText
        report.pages = layout.scene?.currentPages ?? []
        report.ignoring = application.isIgnoringInteractionEvents
        if let scene = layout.scene, let accommodations = scene.accommodations {
            report.accommodations = .init {
                ($0.on, $0.ignored) = (scene.isAccommodating, accommodations.ignoredCount)
            }
        }
        report.talking = layout.scene?.talking.map { talking in
            .init { ($0.on, $0.contacts) = (talking.isOn, talking.contacts) }
        }
        report.devices = input.reportedDevices.map { device in
            var report = StatusReport.Device(device)
            let forwarding = input.forwarder.state(of: device)
            (report.forward, report.forwardRemark) = (forwarding?.node, forwarding?.remark)
            return report
        }
        report.deviceOverruns = Counter.overruns.value
        if let presence = input.presence?.presence {
            (report.missingDevices, report.silentDevices) = (presence.missingCount, presence.silentCount)
        }
        report.forwarding = input.forwarder.counts
        report.queue.frames = application.queuedFrameCount
        if options.source.isLive, let oldest = application.oldestQueuedTimestamp {
            report.queue.oldest = max(Double(Deadline.now.nanoseconds) / 1e9 - oldest, 0)
        }
        report.queue.coalescedMoves = application.coalescedMoveCount
        report.loop = StatusReport.Timing(context.loop.meter?.latency ?? LatencyHistogram())
        (report.log.waiting, report.log.dropped) = (listeners.waitingCount, listeners.droppedCount)
        if let server = control.server {
            report.control.clients = server.clientCount
            report.control.subscribers = server.subscriberCount
            report.control.droppedEvents = server.droppedCount
            report.control.refused = server.refusedCount
        }
        let peers = runner.network.currentPeers
        report.network = peers.isEmpty ? nil : peers
        report.watchdog = watchdog.times.map { $0.restart / .seconds(1) }
        return report
    }

    /// The state for the broker of the layout's `mqtt:`.
    var kioskState: KioskState {
        KioskState { state in
            state.pages = layout.scene?.currentPages ?? []
            let document = layout.scene?.document
            let choices = document.map { $0.screens.count == 1 ? $0.pages.map(\.name) : [] } ?? []
            // Nobody chooses from a longer list, and a packet has a limit.
            if choices.reduce(0, { $0 + $1.utf8.count }) < NetworkOrder.headerLimit { state.choices = choices }
            state.isIdle = observers.idle?.isIdle
            state.lastTouch = reporter.lastTouch?.utcText
            state.devices = input.devices.map { device in
                KioskState.Device { ($0.name, $0.use) = (device.description.name, DeviceUse(device.use)) }
            }
            // How many messages wait changes with every message.
            state.network = runner.network.currentPeers.map { peer in
                var peer = peer
                peer.waiting = 0
                return peer
            }
        }
    }
}

nonisolated extension StatusReport.Device {
    package init(_ device: DeviceInfo) {
        self.init()
        (name, path) = (device.description.name, device.path)
        (use, reason) = (DeviceUse(device.use), device.use.reason)
        if device.isHeld { held = true }
    }
}
