import Layout
import Logging
import TouchKit

extension Daemon {
    /// Reads a layout and puts its window in place of the one before it, whose touches are cancelled.
    func show(layoutAt path: String) throws(LayoutError) {
        let document = try LayoutDocument(path: path, handlers: handlers.registeredNames)
        for warning in document.warnings { logger.warning("\(warning)", metadata: MessageID.layoutLoaded.metadata) }

        application.cancelAllTouches()
        if document.devices != deviceRules {
            deviceRules = document.devices
            reopenDevices()
        }
        runner.define(document.handlers)
        scene?.deactivate()
        Screen.main.bounds.size = document.screens[0].size
        let scene = Scene(document) { [runner] step, occasion in runner.perform(step, for: occasion) }
        runner.scene = scene
        scene.activate()
        self.scene = scene
        logger.info("\(path): layout loaded", metadata: MessageID.layoutLoaded.metadata)
    }

    /// Reads the layout again; one with a mistake is refused, and the one before it stays.
    func reload() {
        guard let path = options.layout else { return }
        ServiceManager.reloading()
        var refusal: String?
        do {
            try show(layoutAt: path)
        } catch {
            let first = error.diagnostics.first { $0.severity == .error }
            refusal = "Layout refused, the one before it stays: \(first.map { "\($0)" } ?? path)"
            for diagnostic in error.diagnostics {
                logger.error("\(diagnostic)", metadata: MessageID.layoutRefused.metadata)
            }
            logger.error("\(path): not loaded; the layout before it stays", metadata: MessageID.layoutRefused.metadata)
        }
        ServiceManager.ready(status: refusal ?? status)
    }
}
