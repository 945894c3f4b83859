import ControlProtocol
import Evdev
import Forwarding
import Logging
import Outputs

/// The touches that also reach the program that draws the screen.
extension EventPath {
    func makeForwarder() -> PanelForwarder {
        let forwarder = PanelForwarder(loop: loop) { [unowned self] in report($0) }
        forwarder.hasPanelsChanged = { [unowned self] in
            arrangeObservers()
            panelsChanged()
        }
        return forwarder
    }

    /// Gives the panels back to the program that draws while the run loop is blocked; nil while no panel is forwarded.
    var panelLimit: LoopWatch.Limit? {
        guard forwarder.hasPanels else { return nil }
        // Repeated, because a panel to which the main thread is writing just then cannot be released.
        return LoopWatch.Limit(duration: .seconds(1), repeats: true) { [logger, forwarder] in
            // Runs on another thread, because the main thread is blocked.
            for panel in forwarder.releasePanels() {
                var metadata = MessageID.panelReleased.metadata
                metadata["TOUCHD_DEVICE"] = "\(panel)"
                logger.critical(
                    """
                    touchd has not returned to its run loop for 1 s: \(panel) is not grabbed any more, so that the \
                    program that draws gets its touches directly
                    """,
                    metadata: metadata)
            }
        }
    }

    private func report(_ news: PanelForwarder.News) {
        switch news {
        case .forwards(let device, let node):
            log(.info, "\(device.path): \(device.description.name) is forwarded as \(node)", .panelForwarded, device)
            publish("forwarded", device)
        case .waits(let device):
            log(
                .notice,
                "\(device.path): \(device.description.name) is forwarded as soon as no finger is down on it",
                .panelForwarded, device)
            publish("not-forwarded", device, "waits until no finger is down on it")
        case .failed(let device, let reason):
            log(.error, "\(device.path): \(device.description.name) is not forwarded: \(reason)", .notForwarded, device)
            publish("not-forwarded", device, reason)
        }
        statusChanged()
    }

    /// The state of a device's forwarding, for status reports; nil if its rules have no `forward`.
    func forwardingState(of device: DeviceInfo) -> (node: String?, remark: String?)? {
        switch forwarder.state(of: device) {
        case nil: nil
        case .forwards(let node): (node, nil)
        case .waits(let node): (node, "waits until no finger is down on it")
        case .failed(let reason): (nil, reason)
        }
    }
}
