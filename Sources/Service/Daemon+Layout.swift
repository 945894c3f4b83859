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
        handlers.define(document.handlers)
        scene?.deactivate()
        Screen.main.bounds.size = document.screens[0].size
        let scene = Scene(document) { [unowned self] step, occasion in
            begins(occasion)
            guard case .touch(let touch, let event) = occasion.cause else { return }
            measure(step.name) { handlers.handler(named: step.name)?(touch, event) }
        }
        scene.didShowPage = { [unowned self] page in showed(page: page) }
        scene.activate()
        self.scene = scene
        logger.info("\(path): layout loaded", metadata: MessageID.layoutLoaded.metadata)
        publishLayout(path)
    }

    /// Reads the layout again; one with a mistake is refused, and the one before it stays.
    ///
    /// - Returns: Why it was refused, or nil.
    @discardableResult
    func reload() -> String? {
        guard let path = options.layout else {
            return "this program builds its windows itself; there is no layout to read"
        }
        ServiceManager.reloading()
        do {
            try show(layoutAt: path)
            refusal = nil
        } catch {
            let first = error.diagnostics.first { $0.severity == .error }
            refusal = first.map { "\($0)" } ?? path
            for diagnostic in error.diagnostics {
                logger.error("\(diagnostic)", metadata: MessageID.layoutRefused.metadata)
            }
            logger.error("\(path): not loaded; the layout before it stays", metadata: MessageID.layoutRefused.metadata)
        }
        ServiceManager.ready(status: statusLine.sentWithOther())
        return refusal
    }
}
