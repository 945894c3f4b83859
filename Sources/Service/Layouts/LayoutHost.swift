import ControlProtocol
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import TouchKit

/// Loads the layout, and reloads it.
final class LayoutHost {
    /// Why the layout's files are not used.
    struct RefusedLayout {
        /// The first error.
        let reason: String
        /// When the layout was stored that touchd started with instead; nil if the one before it stays.
        let lastGood: Date?
        /// The findings that were logged.
        fileprivate let findings: [LayoutFinding]
    }

    private let context: DaemonContext
    private let input: InputSource
    private let observers: TouchObservers
    private let reporter: EventReporter
    private let store: LastGoodLayout?
    private let reader: Worker
    private let pause: Duration
    private var watch: LayoutWatch?
    private lazy var reloadSource = context.loop.add(
        SignalledSource(name: "reload") { [unowned self] in reload() }, to: .common)
    /// The callers of the reload that is being done, and then those of the next one: they came while the files were
    /// being read, so the files are read once more.
    private var reloads: [[(String?) -> Void]] = []

    /// Why the layout was refused at the start or at the last reload; nil if it was accepted.
    private(set) var refusal: RefusedLayout?
    /// The current layout; nil if the program creates its windows itself.
    private(set) var scene: Scene?

    /// The current layout, for a client that needs one.
    func requiredScene() throws(ControlError) -> Scene {
        if let scene { return scene }
        throw ControlError(
            .unavailable, "the running program has no layout file, so it has no pages and no named views")
    }

    /// Called when a layout was loaded, with its path.
    var didLoad: (String) -> Void = { _ in }
    /// Called when a reload has finished, whether the layout was replaced or refused.
    var didReload: () -> Void = {}

    /// - Parameters:
    ///   - reader: Reads the files; nil for another thread.
    ///   - pause: The time from the last change of a file until the files are read.
    init(
        _ context: DaemonContext, input: InputSource, observers: TouchObservers, reporter: EventReporter,
        reader: Worker? = nil, pause: Duration = LayoutWatch.pause
    ) {
        (self.context, self.input, self.observers, self.reporter) = (context, input, observers, reporter)
        store = context.options.stateDirectory.map { LastGoodLayout(directory: $0, loop: context.loop) }
        self.reader = reader ?? Worker(context.loop, logger: context.logger, reading: "the layout")
        self.pause = pause
        context.runner.delegate = self
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
            refuse(error, path, lastGood: try showLastGood(insteadOf: error, path))
            follow(check.paths)
        }
    }

    /// - Returns: When the layout was stored.
    private func showLastGood(insteadOf error: LayoutError, _ path: String) throws(LayoutError) -> Date {
        guard let (snapshot, saved) = store?.load(), snapshot.isOf(path) else { throw error }
        let names = context.handlers.registeredNames
        do {
            try show(LayoutDocument.check(snapshot, handlers: names, foreignFiles: foreignFiles).get(), at: path)
        } catch _ {
            throw error
        }
        return saved
    }

    /// Stores a layout that is used now for the next start, and watches its files if it says so.
    private func accept(_ check: LayoutCheck) {
        refusal = nil
        guard let document = check.document else { return }
        store?.store(document.isStrict ? nil : check.files) { [logger = context.logger] error in
            logger.warning("the layout is not stored for the next start: \(error)")
        }
        if document.reloadsOnChange { follow(check.paths) } else { watch = nil }
    }

    /// Logs why a layout is refused, and what is used instead; once for the same errors.
    private func refuse(_ error: LayoutError, _ path: String, lastGood: Date? = nil) {
        let (former, findings) = (refusal, error.diagnostics)
        let first = findings.first { $0.severity == .error }
        refusal = RefusedLayout(
            reason: first.map { "\($0)" } ?? path, lastGood: lastGood ?? former?.lastGood, findings: findings)
        // The same files may be read several times, for example when one of them is saved again.
        guard findings != former?.findings else { return }
        for finding in findings {
            context.logger.log(
                level: finding.severity == .error ? .error : .warning, "\(finding)",
                metadata: MessageID.layoutRefused.metadata)
        }
        let instead =
            lastGood.map { "touchd is using the last good layout, saved at \($0.utcText(separator: " "))Z" }
            ?? "the layout before it stays"
        context.logger.error("\(path): not loaded; \(instead)", metadata: MessageID.layoutRefused.metadata)
    }

    /// Waits until the layout is stored for the next start.
    func finish() { store?.finish() }

    /// Reloads the layout when it is not what is on the disk any more.
    private func follow(_ paths: LayoutPaths) {
        watch = LayoutWatch(
            paths, loop: context.loop, reader: reader, pause: pause,
            failed: { [logger = context.logger] in
                logger.warning("the layout's files are not watched for changes: \($0); run: touchd reload")
            }, changed: { [unowned self] in reloadSoon() })
    }

    /// Returns the check of a layout, which can run on any thread.
    private func check(_ path: String) -> @Sendable () -> LayoutCheck {
        let foreignFiles = foreignFiles
        return { [names = Array(context.handlers.registeredNames)] in
            LayoutDocument.check(path: path, handlers: names, foreignFiles: foreignFiles)
        }
    }

    /// Replaces the current layout.
    ///
    /// All errors are found before anything changes. Then touches that are down are cancelled. Pages and handlers'
    /// changes to views are kept if the new layout still has them. Queued events are delivered to the new layout.
    private func show(_ document: LayoutDocument, at path: String) throws(LayoutError) {
        let findings = context.runner.prepare(for: document, foreignFiles: foreignFiles)
        guard !findings.contains(where: { $0.severity == .error }) else { throw LayoutError(.invalid, findings) }
        for warning in document.warnings + findings {
            context.logger.warning("\(warning)", metadata: MessageID.layoutLoaded.metadata)
        }

        context.application.cancelAllTouches()
        observers.idle?.willBeReplaced(by: document.idle)
        let scene = Scene(document, application: context.application) {
            [reporter, runner = context.runner] step, context in
            reporter.begins(context)
            runner.perform(step, for: context)
        }
        if let former = self.scene {
            scene.adoptState(of: former)
            former.deactivate()
        }
        context.runner.load(document)
        context.runner.scene = scene
        self.scene = scene
        observers.follow(document, scene)
        input.follow(document, scene, observers.history)
        scene.activate()
        logLoading(of: document, path)
        didLoad(path)
    }

    private func logLoading(of document: LayoutDocument, _ path: String) {
        var metadata = MessageID.layoutLoaded.metadata
        metadata["TOUCHD_LAYOUT_HASH"] = "\(document.fileHash)"
        if let version = document.version { metadata["TOUCHD_LAYOUT_VERSION"] = "\(version)" }
        let version = document.version.map { ", version \($0)" } ?? ""
        context.logger.info("\(path): layout loaded\(version)", metadata: metadata)
    }

    /// Reloads the layout in the run loop's next pass; repeated calls before that reload it once.
    func reloadSoon() { reloadSource.signal() }

    /// Reads the layout on another thread, while touches are delivered, and shows it. A layout with an error is
    /// refused, and the current one stays.
    ///
    /// - Parameter answer: Called on the main thread with the reason for a refusal, one line per finding, or with nil.
    func reload(_ answer: @escaping (String?) -> Void = { _ in }) {
        guard let path = context.options.layout else {
            return answer("this program builds its windows in code; there is no layout to reload")
        }
        // The file may have changed since the current reading began.
        if reloads.count < 2 { reloads.append([]) }
        reloads[reloads.endIndex - 1].append(answer)
        if reloads.count == 1 { read(path) }
    }

    private func read(_ path: String) {
        ServiceManager.reloading()
        reader.perform(check(path)) { [weak self] in self?.finishReload($0, path) }
    }

    private func finishReload(_ check: LayoutCheck, _ path: String) {
        var findings: String?
        do {
            try show(check.get(), at: path)
            accept(check)
        } catch {
            refuse(error, path)
            // These may be other paths: a file that was just included, or the main file alone.
            if watch != nil { follow(check.paths) }
            findings = error.description
        }
        didReload()
        for answer in reloads[0] { answer(findings) }
        reloads.removeFirst()
        if !reloads.isEmpty { read(path) }
    }
}

extension LayoutHost: HandlerRunnerDelegate {
    package func handlerDidRun(_ name: String, for duration: Duration, failure: HandlerFailure?) {
        context.counts.handlerRan(name, for: duration)
        if failure != nil { context.counts.countFailure(of: name) }
    }

    package func handlerDidFailLater(_ name: String, _ failure: HandlerFailure) {
        context.counts.countFailure(of: name)
    }

    package func handlerWasDropped(_ name: String) { context.counts.droppedPresses += 1 }

    package func reloadLayout() { reloadSoon() }

    package func publish(_ message: String, to topic: String, isPrivate: Bool) {
        reporter.publish(message, to: topic, isPrivate: isPrivate)
    }
}
