import ControlProtocol
import Dispatch
import EventLoop
import Handlers
import Layout
import Logging
import TouchKit

/// Loads the layout, reloads it and runs its idle timers.
final class LayoutHost {
    private let options: DaemonOptions
    private let application: Application
    private let loop: EpollRunLoop
    private let logger: Logger
    private let handlers: HandlerRegistry
    private let runner: HandlerRunner
    private let events: EventPath

    /// The current layout; nil if the program creates its windows itself.
    private(set) var scene: Scene?
    /// Why the last reload was refused; nil if it succeeded.
    private(set) var refusal: String?
    private var idle: IdleWatch?
    private var isReloadDue = false
    /// Whether another thread reads the layout, and the callers that wait for its result.
    private var isReading = false
    private var reloadAnswers: [(String?) -> Void] = []
    /// Callers that asked during the reading; the file is read once more for them.
    private var nextReloadAnswers: [(String?) -> Void] = []

    /// Called when a page is shown, with its name.
    var didShowPage: (String) -> Void = { _ in }
    /// Called when a layout was loaded, with its path.
    var didLoad: (String) -> Void = { _ in }
    /// Called when a reload has finished, whether the layout was replaced or refused.
    var didReload: () -> Void = {}

    /// Creates a host without a layout.
    init(
        _ options: DaemonOptions, loop: EpollRunLoop, logger: Logger, handlers: HandlerRegistry, events: EventPath
    ) {
        self.options = options
        application = events.application
        self.loop = loop
        self.logger = logger
        self.handlers = handlers
        runner = events.runner
        self.events = events
    }

    /// A service refuses files that other users can change.
    private var foreignFiles: LayoutFinding.Severity? { ServiceManager.isService ? .error : nil }

    /// Reads a layout and shows it, at startup.
    func show(layoutAt path: String) throws(LayoutError) { try show(check(path)().get(), at: path) }

    /// Returns the check of a layout, which can run on any thread.
    private func check(_ path: String) -> @Sendable () -> LayoutCheck {
        let foreignFiles = foreignFiles
        return { [names = Array(handlers.registeredNames)] in
            LayoutDocument.check(path: path, handlers: names, foreignFiles: foreignFiles)
        }
    }

    /// Replaces the current layout.
    ///
    /// All errors are found before anything changes. Then touches that are down are cancelled. Pages and handlers'
    /// changes to views are kept if the new layout still has them. Queued events are delivered to the new layout.
    private func show(_ document: LayoutDocument, at path: String) throws(LayoutError) {
        let findings = runner.prepare(for: document, foreignFiles: foreignFiles)
        guard !findings.contains(where: { $0.severity == .error }) else { throw LayoutError(.invalid, findings) }
        for warning in document.warnings + findings {
            logger.warning("\(warning)", metadata: MessageID.layoutLoaded.metadata)
        }

        application.cancelAllTouches()
        events.journalOutput?.follow(document.journal, movesPerSecond: options.movesPerSecond)
        let scene = Scene(document, application: application) { [unowned self] step, occasion in
            events.begins(occasion)
            runner.perform(step, for: occasion)
        }
        scene.didShowPage = { [unowned self] page in didShowPage(page) }
        if let former = self.scene {
            scene.adoptState(of: former)
            former.deactivate()
        }
        runner.load(document)
        runner.scene = scene
        self.scene = scene
        events.follow(document, scene)
        scene.activate()
        watchIdle(document.idle)
        logger.info("\(path): layout loaded", metadata: MessageID.layoutLoaded.metadata)
        didLoad(path)
    }

    /// Starts the idle timers of a layout's `idle:`; without them, touches are not observed and no timer runs.
    private func watchIdle(_ specs: [IdleSpec]) {
        idle?.stop()
        idle = IdleWatch(specs, application: application, after: idle) { [runner] step, occasion in
            runner.perform(step, for: occasion)
        }
        idle?.didChange = { [unowned self] spec, trigger in events.idled(spec, trigger) }
        application.willDeliver = idle.map { idle in { idle.touched(at: $0.timestamp) } }
        idle?.start(waitingForTouch: !options.source.isLive)
    }

    /// Reloads the layout in the run loop's next pass; repeated calls before that reload it once.
    func reloadSoon() {
        guard !isReloadDue else { return }
        isReloadDue = true
        loop.perform(in: .common) { [self] in
            isReloadDue = false
            reload()
        }
    }

    /// Reads the layout on another thread, while touches are delivered, and shows it. A layout with an error is
    /// refused, and the current one stays.
    ///
    /// - Parameter answer: Called on the main thread with the reason for a refusal, one line per finding, or with nil.
    func reload(_ answer: @escaping (String?) -> Void = { _ in }) {
        guard let path = options.layout else {
            return answer("this program builds its windows itself; there is no layout to read")
        }
        // The file may have changed since the current reading began.
        guard !isReading else { return nextReloadAnswers.append(answer) }
        reloadAnswers.append(answer)
        read(path)
    }

    private func read(_ path: String) {
        isReading = true
        ServiceManager.reloading()
        let check = check(path)
        do {
            try DetachedThread.run { [weak self] in
                let result = check()
                DispatchQueue.main.async {
                    MainActor.assumeIsolated { self?.finishReload(result, path) }
                }
            }
        } catch {
            logger.warning("the layout is read on the main thread, since there is no other: \(error)")
            finishReload(check(), path)
        }
    }

    private func finishReload(_ check: LayoutCheck, _ path: String) {
        var findings: String?
        do {
            try show(check.get(), at: path)
            refusal = nil
        } catch {
            let first = error.diagnostics.first { $0.severity == .error }
            refusal = first.map { "\($0)" } ?? path
            for diagnostic in error.diagnostics {
                logger.log(
                    level: diagnostic.severity == .error ? .error : .warning, "\(diagnostic)",
                    metadata: MessageID.layoutRefused.metadata)
            }
            logger.error("\(path): not loaded; the layout before it stays", metadata: MessageID.layoutRefused.metadata)
            findings = error.description
        }
        didReload()
        isReading = false
        let answers = reloadAnswers
        (reloadAnswers, nextReloadAnswers) = (nextReloadAnswers, [])
        for answer in answers { answer(findings) }
        if !reloadAnswers.isEmpty, !isReading { read(path) }
    }
}
