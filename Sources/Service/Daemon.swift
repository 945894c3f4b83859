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
    let deviceNames = DeviceNames()
    private(set) lazy var standardOutput = StandardOutput { [unowned self] error in
        failure = failure ?? error
        stop()
    }
    var scene: Scene?
    var idle: IdleWatch?
    var isReloadDue = false
    var deviceRules: [DeviceRule] = []
    var monitor: DeviceMonitor?
    var deviceWatch: DeviceWatch?
    var player: RecordingPlayer?
    /// What ended the run before anybody asked it to end.
    var failure: (any Error)?

    /// Puts a daemon together; nothing is opened or read yet.
    public init(_ options: Options, application: Application = .shared) {
        self.options = options
        self.application = application
        let loop = EpollRunLoop.main
        self.loop = loop
        let isJournal = options.output == .journal
        logger = Logger(label: "touchd") { _ -> any LogHandler in
            if isJournal { JournalLogHandler() } else { ConsoleLogHandler() }
        }
        let names = deviceNames
        runner = HandlerRunner(
            registry: handlers, application: application, loop: loop, logger: logger, deviceName: { names[$0] })
    }

    /// Delivers touches until `stop()`, SIGTERM or SIGINT, or until a recording ends.
    ///
    /// SIGHUP reads the layout again. Before it returns, every touch that is down is cancelled.
    /// - Throws: A `LayoutError`, or what kept the devices or the recording from being opened.
    public func run() throws {
        // A reader of standard output that goes away is noticed by the write, and must not end touches without a word.
        signal(SIGPIPE, SIG_IGN)
        let signals = try UnixSignalSource(signals: [SIGTERM, SIGINT, SIGHUP]) { [self] signal in
            received(signal)
        }
        loop.add(signals)
        defer { signals.invalidate() }

        if let output = makeOutput() { observeTouches(with: output) }
        let flush = RunLoopObserver(activities: .beforeWaiting) { [standardOutput] _ in standardOutput.flush() }
        loop.add(flush)
        defer { flush.invalidate() }

        application.didReport = { [logger] diagnostic in
            let level: Logger.Level = if case .eventDiscarded = diagnostic { .debug } else { .warning }
            logger.log(level: level, "\(diagnostic)")
        }
        application.attach(to: loop, followsClock: options.source.isLive)
        runner.reload = { [self] in reloadSoon() }
        if let layout = options.layout { try show(layoutAt: layout) }
        guard application.delegate?.application(application, didFinishLaunchingWithOptions: nil) ?? true else { return }
        try startSource()
        ServiceManager.ready(status: status)
        application.run(on: loop)

        ServiceManager.stopping()
        stopSource()
        application.drainEvents()
        // The source has cancelled its own; a program may have queued touches that no device will end.
        application.cancelAllTouches()
        application.delegate?.applicationWillTerminate(application)
        runner.reload = nil
        runner.close()
        standardOutput.flush()
        if let failure { throw failure }
    }

    /// Ends `run()`; to be called on the main actor.
    public func stop() { loop.stop() }

    private func received(_ signal: Int32) {
        if signal == SIGHUP { reload() } else { stop() }
    }

    private func makeOutput() -> (any TouchOutput)? {
        switch options.output {
        case .text: TextOutput(standardOutput)
        case .json: JSONOutput(standardOutput)
        case .journal: JournalOutput()
        case nil: nil
        }
    }

    private func observeTouches(with output: any TouchOutput) {
        let wantsMoves = output.wantsMoves
        application.didDeliver = { [deviceNames] delivery in
            switch delivery.phase {
            case .stationary: return
            case .moved where !wantsMoves: return
            default: break
            }
            let touch = delivery.touch
            output.write(
                TouchFacts(touch, phase: delivery.phase, deviceName: deviceNames[touch.device]),
                handlers: delivery.handlerNames)
        }
    }
}
