import ControlProtocol
import Dispatch
import EventLoop
import Handlers
import Layout
import Logging
import TouchKit

/// Loads the layout, replaces it on reload, and watches its idle times.
final class LayoutHost {
    private let options: DaemonOptions
    private let application: Application
    private let loop: EpollRunLoop
    private let logger: Logger
    private let handlers: HandlerRegistry
    private let runner: HandlerRunner
    private let events: EventPath

    /// The layout at work; nil where a program builds its windows itself.
    private(set) var scene: Scene?
    /// Why the layout was not replaced when that was last tried.
    private(set) var refusal: String?
    private var idle: IdleWatch?
    private var isReloadDue = false
    /// Whether another thread reads the layout, and the callers that wait for the result.
    private var isReading = false
    private var reloadAnswers: [(String?) -> Void] = []
    /// Callers that asked meanwhile; the file is read once more for them.
    private var nextReloadAnswers: [(String?) -> Void] = []

    /// Called when a page is shown, with its name.
    var didShowPage: (String) -> Void = { _ in }
    /// Called when a layout was loaded, with its path.
    var didLoad: (String) -> Void = { _ in }
    /// Called when a reload is over, whether the layout was replaced or refused.
    var didReload: () -> Void = {}

    /// Makes a host without a layout.
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

    /// A service refuses files that other users could change.
    private var foreignFiles: LayoutFinding.Severity? { ServiceManager.isService ? .error : nil }

    /// Reads a layout and puts it in place of the one before, at startup.
    func show(layoutAt path: String) throws(LayoutError) { try show(check(path)().get(), at: path) }

    /// The check of a layout, to be made on any thread.
    private func check(_ path: String) -> @Sendable () -> LayoutCheck {
        let foreignFiles = foreignFiles
        return { [names = Array(handlers.registeredNames)] in
            LayoutDocument.check(path: path, handlers: names, foreignFiles: foreignFiles)
        }
    }

    /// Puts a layout in place of the one before.
    ///
    /// All that can be wrong is found before anything changes. Then the touches that are down are cancelled; pages and what
    /// handlers changed of views stay where the new layout has them still; and what waits in the queue is for the new one.
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

    /// Watches for the times of a layout's `idle:`; where it has none, touches are not watched and no timer runs.
    private func watchIdle(_ specs: [IdleSpec]) {
        idle?.stop()
        idle = IdleWatch(specs, application: application, after: idle) { [runner] step, occasion in
            runner.perform(step, for: occasion)
        }
        application.willDeliver = idle.map { idle in { idle.touched(at: $0.timestamp) } }
        idle?.start(waitingForTouch: !options.source.isLive)
    }

    /// Reads the layout again in the run loop's next pass, once, however often that is asked meanwhile.
    func reloadSoon() {
        guard !isReloadDue else { return }
        isReloadDue = true
        loop.perform(in: .common) { [self] in
            isReloadDue = false
            reload()
        }
    }

    /// Reads the layout again on another thread, so that touches are delivered meanwhile, and shows it; one with an error
    /// is refused, and the one before it stays.
    ///
    /// - Parameter answer: Is called on the main thread with why it was refused, a line for each finding, or with nil.
    func reload(_ answer: @escaping (String?) -> Void = { _ in }) {
        guard let path = options.layout else {
            return answer("this program builds its windows itself; there is no layout to read")
        }
        // The file may have changed since the reading under way began.
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
