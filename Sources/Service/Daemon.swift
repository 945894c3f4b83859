import CLinux
import Recordings
import ControlProtocol
import Glibc
import EventLoop
import Evdev
import Handlers
import Layout
import Logging
import TouchKit

/// touchd itself: run loop, devices, application, layout and log, put together.
///
/// `touchd run` is a thin command line over it, and so is a program of one's own:
///
/// ```swift
/// let daemon = Daemon(.init(layout: "kiosk.yaml", output: .text))
/// daemon.handlers.register("greet") { touch, _ in print("hello, touch \(touch.id)") }
/// try daemon.run()
/// ```
public final class Daemon {
    /// What a daemon is started with.
    public typealias Options = DaemonOptions

    /// touchd's version.
    public nonisolated static let version = StatusReport.currentVersion

    /// What it was started with.
    public let options: DaemonOptions
    /// The application that touches are delivered to.
    public let application: Application
    /// The handlers a layout can name; register yours before `run()`.
    public let handlers = HandlerRegistry()
    /// Runs handlers; asks it which one is running, and what of them failed.
    public let runner: HandlerRunner

    let loop: EpollRunLoop
    let logger: Logger
    let metrics: Metrics
    /// Where entries for the journal go, as far as this run has a journal.
    let journal: JournalSender?
    let events: EventPath
    let layout: LayoutHost
    private(set) lazy var control = ControlHost(
        options, events: events, layout: layout, logger: logger, report: { [unowned self] in report })
    private lazy var statusLine = StatusLine(
        loop: loop, text: { [unowned self] in statusText }, send: { ServiceManager.status($0) })
    private let programJournal: ProgramJournal?
    /// What ended the run before anybody asked it to end.
    private var failure: (any Error)?

    /// Puts a daemon together; nothing is opened or read yet.
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
        runner.failureMetadata = { MessageID($0).metadata }
        runner.programLog = programJournal
        events = EventPath(
            options, application: application, loop: loop, logger: logger, metrics: metrics, deviceNames: names,
            runner: runner, journal: journal)
        layout = LayoutHost(options, loop: loop, logger: logger, handlers: handlers, events: events)
    }

    /// Connects the parts; each is told only what it asks for.
    private func connect() {
        events.statusChanged = { [unowned self] in statusLine.setNeedsUpdate() }
        events.didEnd = { [unowned self] error in
            failure = failure ?? error
            stop()
        }
        layout.didShowPage = { [unowned self] page in
            statusLine.setNeedsUpdate()
            control.publish(page: page)
        }
        layout.didLoad = { [unowned self] path in control.publish(layout: path) }
        layout.didReload = { [unowned self] in ServiceManager.ready(status: statusLine.sentWithOther()) }
        runner.reload = { [layout] in layout.reloadSoon() }
    }

    /// Delivers touches until `stop()`, SIGTERM or SIGINT, or until a recording ends.
    ///
    /// SIGHUP reads the layout again. Before it returns, every touch that is down is cancelled.
    /// - Throws: A `LayoutError`, or what kept the devices, the recording or the control socket from being opened.
    public func run() throws {
        // A reader of standard output that goes away is noticed by the write, and must not end touches without a word.
        signal(SIGPIPE, SIG_IGN)
        // Other processes of the user, such as another seat's touchd, neither read nor write this one's memory.
        if ServiceManager.isService { _ = set_dumpable(0) }
        let signals = try UnixSignalSource(signals: [SIGTERM, SIGINT, SIGHUP]) { [self] signal in
            received(signal)
        }
        loop.add(signals)
        defer { signals.invalidate() }

        connect()
        let flush = events.observeDeliveries()
        defer { flush?.invalidate() }
        watchCallbacks()
        application.didReport = { [logger] diagnostic in
            let level: Logger.Level = if case .eventDiscarded = diagnostic { .debug } else { .warning }
            logger.log(level: level, "\(diagnostic)")
        }
        application.attach(to: loop, followsClock: options.source.isLive)
        events.measureHandlers()
        // Before the layout: what its first page publishes when it appears has somewhere to go.
        try control.start()
        defer { control.close() }
        if let path = options.layout { try layout.show(layoutAt: path) }
        guard application.finishLaunching() else { return }
        try events.startSource()
        let watchdog = startWatchdog()
        let metricsFile = startMetricsFile()
        logger.info("touchd \(Self.version) is ready", metadata: MessageID.started.metadata)
        if options.source.isLive, !events.devices.contains(where: { $0.use == .used }) {
            logger.notice("no touchscreen or mouse is used yet; 'touchd devices' says what there is, and why not")
        }
        ServiceManager.ready(status: statusLine.sentWithOther())
        application.run(on: loop)

        ServiceManager.stopping()
        events.stopSource()
        application.drainEvents()
        // The source has cancelled its own; a program may have queued touches that no device will end.
        application.cancelAllTouches()
        application.terminate()
        runner.reload = nil
        runner.close()
        statusLine.invalidate()
        watchdog?.invalidate()
        events.finishOutput()
        // After the output: how many entries were lost is known only now.
        metricsFile?.finish()
        if let failure { throw failure }
    }

    /// Ends `run()`; to be called on the main actor.
    public func stop() { loop.stop() }

    private func received(_ signal: Int32) {
        if signal == SIGHUP { layout.reload() } else { stop() }
    }
}
