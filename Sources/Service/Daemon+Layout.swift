import Dispatch
import Evdev
import Handlers
import Layout
import Logging
import TouchKit

extension Daemon {
    /// Reads a layout and puts it in place of the one before, at startup.
    func show(layoutAt path: String) throws(LayoutError) { try show(check(path)().get(), at: path) }

    /// The check of a layout, to be made on any thread.
    private func check(_ path: String) -> @Sendable () -> LayoutCheck {
        let foreignFiles = ServiceManager.isService ? LayoutFinding.Severity.error : nil
        return { [names = Array(handlers.registeredNames)] in
            LayoutDocument.check(path: path, handlers: names, foreignFiles: foreignFiles)
        }
    }

    /// Puts a layout in place of the one before.
    ///
    /// All that can be wrong is found before anything changes. Then the touches that are down are cancelled; pages and what
    /// handlers changed of views stay where the new layout has them still; and what waits in the queue is for the new one.
    private func show(_ document: LayoutDocument, at path: String) throws(LayoutError) {
        let findings = runner.prepare(for: document)
        guard !findings.contains(where: { $0.severity == .error }) else { throw LayoutError(.invalid, findings) }
        for warning in document.warnings + findings {
            logger.warning("\(warning)", metadata: MessageID.layoutLoaded.metadata)
        }

        application.cancelAllTouches()
        journalOutput?.follow(document.journal, movesPerSecond: options.movesPerSecond)
        let scene = Scene(document, application: application) { [unowned self] step, occasion in
            begins(occasion)
            runner.perform(step, for: occasion)
        }
        scene.didShowPage = { [unowned self] page in showed(page: page) }
        if let former = self.scene {
            scene.adoptState(of: former)
            former.deactivate()
        }
        runner.load(document)
        runner.scene = scene
        self.scene = scene
        keepTouches(document.recording)
        take(deviceRules: document.devices + [VirtualDevice.deviceRule])
        for device in monitor?.devices ?? [] { place(device) }
        if let player { place(player.info) }
        scene.activate()
        watchIdle(document.idle)
        logger.info("\(path): layout loaded", metadata: MessageID.layoutLoaded.metadata)
        publishLayout(path)
    }

    /// Gives a device the screen that the layout's rules name; touches that are down stay on theirs.
    func place(_ device: DeviceInfo) {
        guard let scene else { return }
        application.setScreen(scene.screen(named: device.settings.target) ?? .main, for: device.id)
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

    /// Reads the layout again on a thread of its own, so that touches are delivered meanwhile, and shows it; one with an error
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
        ServiceManager.ready(status: statusLine.sentWithOther())
        isReading = false
        let answers = reloadAnswers
        (reloadAnswers, nextReloadAnswers) = (nextReloadAnswers, [])
        for answer in answers { answer(findings) }
        if !reloadAnswers.isEmpty, !isReading { read(path) }
    }
}
