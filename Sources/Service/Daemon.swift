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
    /// touchd's version.
    public nonisolated static let version = "0.1.0"

    /// What it was started with.
    public let options: Options
    /// The application that touches are delivered to.
    public let application: Application
    /// The handlers a layout can name; register yours before `run()`.
    public let handlers = HandlerRegistry()
    /// Runs handlers; asks it which one is running, and what of them failed.
    public let runner: HandlerRunner

    let loop: EpollRunLoop
    let logger: Logger
    let metrics: Metrics
    let deviceNames = DeviceNames()
    /// Where entries for the journal go, and where lines for people go, as far as this run has them.
    let journal: JournalSender?
    private(set) lazy var standardOutput = StandardStream(
        descriptor: STDOUT_FILENO, loop: loop,
        notice: options.output == .json
            ? { "{\"dropped\": \($0)}" } : { "(\($0) lines that nobody read are missing here)" },
        onBacklog: options.source.isLive ? nil : { [unowned self] isBehind in player?.isPaused = isBehind },
        onEnd: { [unowned self] error in
            failure = failure ?? error
            stop()
        })
    private(set) lazy var statusLine = StatusLine(
        loop: loop, text: { [unowned self] in statusText }, send: { ServiceManager.status($0) })
    /// What writes touches to the journal, and what programs write there; nil where the output is another.
    var journalOutput: JournalOutput?
    private let programJournal: ProgramJournal?
    var scene: Scene?
    var idle: IdleWatch?
    var isReloadDue = false
    /// Whether another thread reads the layout, and who is told what came of that.
    var isReading = false
    var reloadAnswers: [(String?) -> Void] = []
    /// The same of those who asked meanwhile, for whom it is read once more.
    var nextReloadAnswers: [(String?) -> Void] = []
    var deviceRules: [DeviceRule] = []
    var monitor: DeviceMonitor?
    var attendance: AttendanceTimer?
    var player: RecordingPlayer?
    var control: ControlServer?
    /// What tells the subscribers of `inspection`; nil while there are none.
    var inspection: InspectionRecorder?
    /// The last minutes; nil where the layout does not have them kept.
    var history: TouchHistory?
    var givenRecording: GivenRecording?
    /// What stands in for the control socket in a run without one.
    var loggedPublisher: LoggedPublisher?
    /// Why the layout was not replaced when that was last tried.
    var refusal: String?
    /// What ended the run before anybody asked it to end.
    var failure: (any Error)?

    /// Puts a daemon together; nothing is opened or read yet.
    public init(_ options: Options, application: Application = .shared) {
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
            let handler: any LogHandler = journal.map { JournalLogHandler($0) } ?? ConsoleLogHandler(.errors(of: loop))
            return TallyingLogHandler(handler, metrics)
        }
        let names = deviceNames
        runner = HandlerRunner(
            registry: handlers, application: application, loop: loop, logger: logger, deviceName: { names[$0] })
        runner.failureMetadata = { MessageID($0).metadata }
        runner.programLog = programJournal
    }

    /// Delivers touches until `stop()`, SIGTERM or SIGINT, or until a recording ends.
    ///
    /// SIGHUP reads the layout again. Before it returns, every touch that is down is cancelled.
    /// - Throws: A `LayoutError`, or what kept the devices, the recording or the control socket from being opened.
    public func run() throws {
        // A reader of standard output that goes away is noticed by the write, and must not end touches without a word.
        signal(SIGPIPE, SIG_IGN)
        let signals = try UnixSignalSource(signals: [SIGTERM, SIGINT, SIGHUP]) { [self] signal in
            received(signal)
        }
        loop.add(signals)
        defer { signals.invalidate() }

        let flush = observeDeliveries()
        defer { flush?.invalidate() }
        watchCallbacks()
        application.didReport = { [logger] diagnostic in
            let level: Logger.Level = if case .eventDiscarded = diagnostic { .debug } else { .warning }
            logger.log(level: level, "\(diagnostic)")
        }
        application.attach(to: loop, followsClock: options.source.isLive)
        runner.reload = { [self] in reloadSoon() }
        measureHandlers()
        // Before the layout: what its first page publishes when it appears has somewhere to go.
        try startControl()
        defer {
            control?.close()
            control = nil
        }
        if let layout = options.layout { try show(layoutAt: layout) }
        guard application.delegate?.application(application, didFinishLaunchingWithOptions: nil) ?? true else { return }
        try startSource()
        let watchdog = startWatchdog()
        let metricsFile = startMetricsFile()
        logger.info("touchd \(Self.version) is ready", metadata: MessageID.started.metadata)
        if let monitor, !monitor.devices.contains(where: { $0.use == .used }) {
            logger.notice("no touchscreen or mouse is used yet; 'touchd devices' says what there is, and why not")
        }
        ServiceManager.ready(status: statusLine.sentWithOther())
        application.run(on: loop)

        ServiceManager.stopping()
        stopSource()
        application.drainEvents()
        // The source has cancelled its own; a program may have queued touches that no device will end.
        application.cancelAllTouches()
        application.delegate?.applicationWillTerminate(application)
        runner.reload = nil
        runner.close()
        statusLine.invalidate()
        watchdog?.invalidate()
        finishOutput()
        // After the output: how many entries were lost is known only now.
        metricsFile?.finish()
        if let failure { throw failure }
    }

    /// Ends `run()`; to be called on the main actor.
    public func stop() { loop.stop() }

    private func received(_ signal: Int32) {
        if signal == SIGHUP { reload() } else { stop() }
    }
}
