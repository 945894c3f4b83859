import CLinux
import Recordings
import ControlProtocol
import Glibc
import EventLoop
import Evdev
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
    public typealias Options = DaemonOptions

    /// touchd's version.
    public nonisolated static let version = StatusReport.currentVersion

    /// The options that the daemon was created with.
    public let options: DaemonOptions
    /// The application that touches are delivered to.
    public let application: Application
    /// The handlers a layout can name; register yours before `run()`.
    public let handlers = HandlerRegistry()
    /// Runs handlers; reports the running handler and failures.
    package let runner: HandlerRunner

    let loop: EpollRunLoop
    let logger: Logger
    let metrics: Metrics
    /// Sends entries to the journal; nil if this run does not log to the journal.
    let journal: JournalSender?
    let events: EventPath
    let layout: LayoutHost
    private(set) lazy var control = ControlHost(
        options, events: events, layout: layout, logger: logger, report: { [unowned self] in report })
    private lazy var network = NetworkHost(
        runner.network, loop: loop, logger: logger, state: { [unowned self] in kioskState },
        perform: { [unowned self] (command) -> ControlError? in
            do throws(ControlError) { try control.perform(command) } catch { return error }
            return nil
        }, takeDatagrams: { [unowned self] in events.tuio?.send(through: $0) })
    private lazy var statusLine = StatusLine(
        loop: loop, text: { [unowned self] in statusText }, send: { ServiceManager.status($0) })
    private let programJournal: ProgramJournal?
    private var watchdog: (times: WatchdogTimes, timer: RunLoopTimer)?
    private var loopWatch: LoopWatch?
    /// The error that ended the run early.
    private var failure: (any Error)?

    /// Creates a daemon; nothing is opened or read yet.
    public init(_ options: DaemonOptions, application: Application = .shared) {
        self.options = options
        self.application = application
        let loop = EpollRunLoop.main
        self.loop = loop
        let journal = options.output == .journal ? JournalSender(loop: loop) : nil
        self.journal = journal
        programJournal = journal.map { ProgramJournal($0) }
        let metrics = Metrics(isLive: options.source.isLive)
        self.metrics = metrics
        logger = Logger(label: "touchd") { _ -> any LogHandler in
            journal.map { JournalLogHandler($0) } ?? ConsoleLogHandler(.errors(of: loop))
        }
        let names = DeviceNames()
        runner = HandlerRunner(
            registry: handlers, application: application, loop: loop, logger: logger, deviceName: { names[$0] })
        runner.programLog = programJournal
        events = EventPath(
            options, application: application, loop: loop, logger: logger, metrics: metrics, deviceNames: names,
            runner: runner, journal: journal)
        layout = LayoutHost(options, loop: loop, logger: logger, handlers: handlers, events: events)
    }

    /// Connects the parts with callbacks.
    private func connect() {
        // It takes the reports from now on.
        _ = network
        events.statusChanged = { [unowned self] in
            statusLine.setNeedsUpdate()
            network.setNeedsUpdate()
        }
        events.didEnd = { [unowned self] error in
            failure = failure ?? error
            stop()
        }
        layout.didLoad = { [unowned self] path in
            if watchdog != nil { updateWatchdog() }
            control.publishAgain()
            control.publish(layout: path)
            network.follow(layout.scene?.document.mqtt)
        }
        layout.didReload = { [unowned self] in ServiceManager.ready(status: statusLine.sentWithOther()) }
        events.panelsChanged = { [unowned self] in updateLimits() }
    }

    /// Delivers touches until `stop()`, SIGTERM or SIGINT, or until the end of a recording.
    ///
    /// SIGHUP reloads the layout. Every touch that is down is cancelled before the method returns.
    /// - Throws: A `LayoutError`, or the error that prevented opening the devices, the recording or the control socket.
    public func run() throws {
        // A closed standard output is detected by the write; the default action of SIGPIPE would kill the process
        // silently.
        signal(SIGPIPE, SIG_IGN)
        // Prevents other processes of the user, such as touchd on another seat, from accessing this process's memory.
        if ServiceManager.isService { _ = set_dumpable(0) }
        let signals = try UnixSignalSource(signals: [SIGTERM, SIGINT, SIGHUP]) { [self] signal in
            received(signal)
        }
        loop.add(signals)
        defer { signals.invalidate() }

        connect()
        let flush = events.observeDeliveries()
        defer {
            flush?.invalidate()
            // The application may live on, and would keep the daemon.
            events.idle?.stop()
            events.idle = nil
            application.observers = []
        }
        application.didReport = { [logger, metrics] diagnostic in
            switch diagnostic {
            case .touchDropped:
                metrics.touches.stale += 1
                logger.warning("\(diagnostic)", metadata: MessageID.handlerSlow.metadata)
            case .eventDiscarded: logger.debug("\(diagnostic)")
            default: logger.warning("\(diagnostic)")
            }
        }
        application.attach(to: loop, followsClock: options.source.isLive)
        events.limitTouchAge(by: WatchdogSpec())
        // Before the layout, so that messages published when its first page appears reach subscribers.
        try control.start()
        defer { control.close() }
        if let path = options.layout { try layout.show(layoutAt: path) }
        guard application.finishLaunching() else { return }
        try events.startSource()
        // Only now, so that the startup is not counted as the first callback.
        loopWatch = try watchCallbacks()
        logger.info("touchd \(Self.version) is ready", metadata: MessageID.started.metadata)
        if options.source.isLive, !events.devices.contains(where: { $0.use == .used }) {
            logger.notice(
                "no touchscreen or mouse is in use yet; run 'touchd devices' to see each device and why it is not used")
        }
        ServiceManager.ready(status: statusLine.sentWithOther())
        updateWatchdog()
        application.run(on: loop)

        ServiceManager.stopping()
        events.stopSource()
        application.drainEvents()
        // The source has cancelled its touches; a program may have queued others that no device will end.
        application.cancelAllTouches()
        application.terminate()
        // A tool that plays a recording ends when its messages have arrived; the service ends at once.
        runner.close(waitsForNetwork: !options.source.isLive)
        statusLine.invalidate()
        watchdog?.timer.invalidate()
        loopWatch?.setLimits(nil)
        layout.finish()
        events.finishOutput()
        if let failure { throw failure }
    }

    /// Starts the watchdog, or applies the current layout's limits to it.
    private func updateWatchdog() {
        if let times = watchdogTimes, times != watchdog?.times {
            watchdog?.timer.invalidate()
            watchdog = (times, feedWatchdog(times))
        }
        updateLimits()
    }

    private func updateLimits() {
        loopWatch?.setLimits([watchdog.map { warning($0.times) }, events.panelLimit].compactMap(\.self))
    }

    /// Stops `run()`; call it on the main actor.
    public func stop() { loop.stop() }

    private func received(_ signal: Int32) {
        if signal == SIGHUP { layout.reload() } else { stop() }
    }
}
