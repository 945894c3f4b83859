import ControlProtocol
import Dispatch
import EventLoop
import Foundation
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
    /// Why the layout was refused at the start or at the last reload; nil if it was accepted.
    private(set) var refusal: String?
    /// When the layout was stored that touchd started with, because the layout's files have an error; otherwise nil.
    private(set) var lastGood: Date?
    /// The findings that were logged for the refused layout.
    private var refused: [LayoutFinding] = []
    private let store: LastGoodLayout?
    private var watch: LayoutWatch?
    private var isReloadDue = false
    /// Whether another thread reads the layout, and the callers that wait for its result.
    private var isReading = false
    private var reloadAnswers: [(String?) -> Void] = []
    /// Callers that asked during the reading; the file is read once more for them.
    private var nextReloadAnswers: [(String?) -> Void] = []

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
        store = options.stateDirectory.map { LastGoodLayout(directory: $0) }
        runner.delegate = self
    }

    /// A service refuses files that other users can change.
    private var foreignFiles: LayoutFinding.Severity? { ServiceManager.isService ? .error : nil }

    /// Reads a layout and shows it, at startup. If it has an error, shows the last good one, if one is stored.
    ///
    /// - Throws: The errors of the layout, if no other can be shown.
    func show(layoutAt path: String) throws(LayoutError) {
        let check = check(path)()
        do {
            try show(check.get(), at: path)
            accept(check)
        } catch {
            let saved = try showLastGood(insteadOf: error, path).utcText(separator: " ")
            refuse(error, path, instead: "touchd is using the last good layout, saved at \(saved)Z")
            follow(check.files)
        }
    }

    /// - Returns: When the layout was stored.
    private func showLastGood(insteadOf error: LayoutError, _ path: String) throws(LayoutError) -> Date {
        guard let (snapshot, saved) = store?.load(), snapshot.files.first?.path == path else { throw error }
        let names = handlers.registeredNames
        do {
            try show(
                LayoutDocument.check(snapshot, handlers: names, foreignFiles: foreignFiles).get(), at: path)
        } catch _ {
            throw error
        }
        lastGood = saved
        return saved
    }

    /// Stores a layout that is used now for the next start, and watches its files if it says so.
    private func accept(_ check: LayoutCheck) {
        (refusal, lastGood, refused) = (nil, nil, [])
        guard let document = check.document else { return }
        store?.store(document.isStrict ? nil : check.files) { [logger] error in
            logger.warning("the layout is not stored for the next start: \(error)")
        }
        if document.reloadsOnChange { follow(check.files) } else { watch = nil }
    }

    /// Logs why a layout is refused, and what is used instead; once for the same errors.
    private func refuse(_ error: LayoutError, _ path: String, instead: String) {
        let first = error.diagnostics.first { $0.severity == .error }
        refusal = first.map { "\($0)" } ?? path
        // The same files may be read several times, for example when one of them is saved again.
        guard error.diagnostics != refused else { return }
        refused = error.diagnostics
        for diagnostic in error.diagnostics {
            logger.log(
                level: diagnostic.severity == .error ? .error : .warning, "\(diagnostic)",
                metadata: MessageID.layoutRefused.metadata)
        }
        logger.error("\(path): not loaded; \(instead)", metadata: MessageID.layoutRefused.metadata)
    }

    /// Whether an idle time of the layout has passed; nil if it has none.
    var isIdle: Bool? { events.idle?.isIdle }

    /// Waits until the layout is stored for the next start.
    func finish() { store?.finish() }

    /// Reloads the layout when one of its files changes.
    private func follow(_ files: LayoutSnapshot) {
        do throws(SystemError) {
            watch = try LayoutWatch(files, loop: loop) { [unowned self] in reloadSoon() }
        } catch {
            logger.warning("the layout's files are not watched for changes: \(error); run: touchd reload")
        }
    }

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
        events.journalListener?.follow(
            hasTouches: document.journal.hasTouches,
            movesPerSecond: options.movesPerSecond ?? document.journal.moves)
        let scene = Scene(document, application: application) { [unowned self] step, occasion in
            events.begins(occasion)
            runner.perform(step, for: occasion)
        }
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
        logLoading(of: document, path)
        didLoad(path)
    }

    private func logLoading(of document: LayoutDocument, _ path: String) {
        var metadata = MessageID.layoutLoaded.metadata
        metadata["TOUCHD_LAYOUT_HASH"] = "\(document.fileHash)"
        if let version = document.version { metadata["TOUCHD_LAYOUT_VERSION"] = "\(version)" }
        let version = document.version.map { ", version \($0)" } ?? ""
        logger.info("\(path): layout loaded\(version)", metadata: metadata)
    }

    /// Starts the idle timers of a layout's `idle:`; without them, touches are not observed and no timer runs.
    private func watchIdle(_ specs: [IdleSpec]) {
        events.idle?.stop()
        let forwarder = events.forwarder
        let idle = IdleWatch(
            specs, application: application, after: events.idle,
            setsForwarding: { if $0 { forwarder.resume(swallowing: true) } else { forwarder.suspend() } },
            didChange: { [unowned events] in events.idled($0, $1) }
        ) { [runner] step, occasion in runner.perform(step, for: occasion) }
        events.idle = idle
        if idle?.keepsTouches == true { forwarder.suspend() } else { forwarder.resume(swallowing: false) }
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
            return answer("this program builds its windows in code; there is no layout to reload")
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
            logger.warning("the layout is read on the main thread, because no thread could be started: \(error)")
            finishReload(check(), path)
        }
    }

    private func finishReload(_ check: LayoutCheck, _ path: String) {
        var findings: String?
        do {
            try show(check.get(), at: path)
            accept(check)
        } catch {
            refuse(error, path, instead: "the layout before it stays")
            // A file that was just included is watched too.
            if watch != nil { follow(check.files) }
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

extension LayoutHost: HandlerRunnerDelegate {
    package func handlerDidRun(_ name: String, for duration: Duration, failure: HandlerFailure?) {
        events.metrics.handlerRan(name, for: duration)
        if failure != nil { events.metrics.countFailure(of: name) }
    }

    package func handlerDidFailLater(_ name: String, _ failure: HandlerFailure) {
        events.metrics.countFailure(of: name)
    }

    package func handlerWasDropped(_ name: String) { events.metrics.droppedPresses += 1 }

    package func metadata(for failure: HandlerFailure) -> Logger.Metadata { MessageID(failure).metadata }

    package func reloadLayout() { reloadSoon() }

    package func publish(_ message: String, to topic: String, isPrivate: Bool) {
        events.publish(message, to: topic, isPrivate: isPrivate)
    }
}
