import Basics
import ControlProtocol
import EventLoop
import Evdev
import Foundation
import Synchronization
import TouchKit

/// Forwards the touches of panels to the program that draws the screen: one virtual touchscreen for each panel whose rule
/// has `forward`.
///
/// A virtual touchscreen stays while its panel is closed and opened again, as a reload does it, so that the program sees
/// no device disappear. A panel is grabbed while no finger is down on it.
package final class PanelForwarder {
    package enum State: Sendable, Equatable {
        /// Its touches are forwarded to the device at `node`.
        case forwards(node: String)
        /// It is not grabbed until every finger is lifted; the program receives its touches from the panel itself.
        case waits(node: String)
        /// It is not grabbed, for this reason.
        case failed(reason: String)

        /// The event node of the virtual touchscreen.
        package var node: String? {
            switch self {
            case .forwards(let node), .waits(let node): node
            case .failed: nil
            }
        }

        /// Why nothing is forwarded now; nil if touches are forwarded.
        package var remark: String? {
            switch self {
            case .forwards: nil
            case .waits: "waits until no finger is down on it"
            case .failed(let reason): reason
            }
        }
    }

    private let loop: EpollRunLoop
    private nonisolated let remote: EpollRunLoop.Remote
    private let makePanel: (DeviceInfo) throws -> ForwardedPanel
    private let report: (DeviceInfo, State) -> Void
    private let router = TouchRouter()
    /// The open panels without a virtual touchscreen, and why.
    private var failures: [DeviceID: (grab: PanelGrab, reason: String)] = [:]
    private var delays: RetryDelays
    /// Tries to create these virtual touchscreens again; nil if none failed.
    private var failureTimer: RunLoopTimer?
    private var timer: RunLoopTimer?
    /// The open panels. Not locked in an event's path; another thread holds the lock for a few system calls.
    private nonisolated let guarded = Mutex<[GuardedPanel]>([])

    /// Creates a forwarder without panels.
    /// - Parameters:
    ///   - delays: How soon a virtual touchscreen that cannot be created is tried again.
    ///   - makePanel: Creates a panel with its virtual touchscreen.
    ///   - report: Called for each change.
    package init(
        loop: EpollRunLoop, delays: RetryDelays = RetryDelays(),
        makePanel: @escaping (DeviceInfo) throws -> ForwardedPanel = { try ForwardedPanel($0) },
        report: @escaping (DeviceInfo, State) -> Void
    ) {
        (self.loop, remote, self.delays, self.makePanel, self.report) = (loop, loop.remote, delays, makePanel, report)
    }

    package var hasPanels: Bool { timer != nil }

    /// The observer of deliveries.
    package var observer: any DeliveryObserver { router }

    /// Called when the first panel is forwarded, and when none is any more.
    package var hasPanelsChanged: () -> Void = {}

    /// How many touches were forwarded; nil while no panel is.
    var counts: StatusReport.Forwarding? { hasPanels ? router.counts : nil }

    /// The state of a panel; nil if its rules have no `forward`.
    package func state(of device: DeviceInfo) -> State? {
        guard device.settings.forwards, device.use == .used else { return nil }
        guard device.role.touchProtocol != nil else { return .failed(reason: "only touchscreens are forwarded") }
        if let failure = failures[device.id] { return .failed(reason: failure.reason) }
        guard let panel = router.panel(of: device.id) else { return nil }
        if let error = panel.grabError { return .failed(reason: Self.reason(error)) }
        let isForwarded = panel.grabbedAt != nil && !panel.isReleased
        return isForwarded ? .forwards(node: panel.node) : .waits(node: panel.node)
    }

    // MARK: Routing

    /// Follows a layout: which touches outside views with `forward` go through, the time between two of them, and whether
    /// touches that are taken back are lifted.
    package func follow(forwardsByDefault: Bool, cooldown: TimeInterval, liftsCancelled: Bool = false) {
        router.forwardsByDefault = forwardsByDefault
        router.cooldown = cooldown
        router.liftsCancelled = liftsCancelled
    }

    /// Lets no touch through from now on.
    package func suspend() {
        if !router.isSuspended { router.suspend() }
    }

    /// Lets touches through again.
    /// - Parameter swallowing: Whether the touches that begin in the event being delivered still do not go through.
    package func resume(swallowing: Bool) { router.resume(swallowing: swallowing) }

    // MARK: Panels

    /// The closures that the device monitor calls.
    package var callbacks: PanelForwarding {
        PanelForwarding(
            didOpen: { [unowned self] in didOpen($0) }, willClose: { [unowned self] in willClose($0.device.id) })
    }

    private func didOpen(_ grab: PanelGrab) {
        let info = grab.device
        failures[info.id] = nil
        if let panel = router.panel(of: info.id), panel.description != info.forwardedDescription {
            router.remove(panel)
        }
        open(grab)
        if router.panels.isEmpty, hasPanels { stop() }
        delays.restart()
        retryFailuresLater()
    }

    private func open(_ grab: PanelGrab) {
        let info = grab.device
        do {
            let panel = try router.panel(of: info.id) ?? make(info)
            failures[info.id] = nil
            panel.open(grab)
            tryToGrab(panel)
        } catch {
            let reason = Self.reason(error)
            let before = failures.updateValue((grab, reason), forKey: info.id)
            if before?.reason != reason { report(info, .failed(reason: reason)) }
        }
    }

    private func make(_ info: DeviceInfo) throws -> ForwardedPanel {
        let panel = try makePanel(info)
        router.add(panel)
        start()
        return panel
    }

    private func retryFailuresLater() {
        guard !failures.isEmpty else {
            failureTimer?.invalidate()
            failureTimer = nil
            return
        }
        let timer =
            failureTimer
            ?? loop.add(
                RunLoopTimer(name: "touchd.forward.create") { [unowned self] _ in
                    for failure in failures.values { open(failure.grab) }
                    retryFailuresLater()
                })
        failureTimer = timer
        timer.reschedule(after: delays.next())
    }

    private func forgetFailure(of device: DeviceID) {
        if failures.removeValue(forKey: device) != nil, failures.isEmpty { retryFailuresLater() }
    }

    private func willClose(_ device: DeviceID) {
        forgetFailure(of: device)
        guard let panel = router.panel(of: device) else { return }
        router.cancel(panel)
        panel.close()
        updateGuarded()
    }

    /// Removes the virtual touchscreen of a panel that is gone.
    package func remove(_ device: DeviceID) {
        forgetFailure(of: device)
        guard let panel = router.panel(of: device) else { return }
        panel.close()
        updateGuarded()
        router.remove(panel)
        if router.panels.isEmpty { stop() }
    }

    /// Removes the virtual touchscreens of panels that are not open; after devices were opened by other rules.
    package func removeClosed() {
        for panel in router.panels where panel.grab == nil { remove(panel.info.id) }
    }

    package func removeAll() {
        for panel in router.panels { remove(panel.info.id) }
    }

    /// Grabs a panel, or tries again later: soon if a finger is down, once a second if another program has grabbed it.
    private func tryToGrab(_ panel: ForwardedPanel, isFirst: Bool = true) {
        let before = panel.grabError
        if panel.tryToGrab() {
            updateGuarded()
            report(panel.info, .forwards(node: panel.node))
        } else if let error = panel.grabError {
            if error != before { report(panel.info, .failed(reason: Self.reason(error))) }
        } else if isFirst {
            report(panel.info, .waits(node: panel.node))
        }
        let waiting = router.panels.filter { $0.grab != nil && $0.grabbedAt == nil }
        guard !waiting.isEmpty else { return }
        timer?.reschedule(after: waiting.contains { $0.grabError == nil } ? .milliseconds(100) : .seconds(1))
    }

    private func retry() {
        for panel in router.panels where panel.grab != nil && panel.grabbedAt == nil {
            tryToGrab(panel, isFirst: false)
        }
    }

    private func start() {
        guard timer == nil else { return }
        timer = loop.add(RunLoopTimer(name: "touchd.forward") { [unowned self] _ in retry() })
        hasPanelsChanged()
    }

    private func stop() {
        timer?.invalidate()
        timer = nil
        hasPanelsChanged()
    }

    // MARK: A blocked main thread

    private func updateGuarded() {
        let open = router.panels.compactMap(\.guarded)
        guarded.withLock { $0 = open }
    }

    /// Gives the panels back to the program that draws because the main thread does not return; returns their names.
    ///
    /// Call it on another thread. The main thread forwards them again when it returns.
    package nonisolated func releasePanels() -> [String] {
        let released = guarded.withLock { $0.filter { $0.release() } }
        if !released.isEmpty {
            remote.performOnMain { [weak self] in self?.forwardAgain() }
        }
        return released.map(\.name)
    }

    private func forwardAgain() {
        for panel in router.panels where panel.isReleased {
            router.forget(panel)
            panel.lose()
            tryToGrab(panel)
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? VirtualDeviceError {
        case .notPermitted:
            "touchd's user may not write to /dev/uinput; install the udev rule 70-touchd-forward.rules, which allows it"
        case .hidden:
            "the service may not use /dev/uinput; install its drop-in touchd-forward.conf, which allows it"
        case .noUinput: "there is no /dev/uinput; load the kernel's module: modprobe uinput"
        case .refused(let reason): "no virtual touchscreen can be created through /dev/uinput: \(reason)"
        case nil:
            if case .notGrabbed(_, let reason)? = error as? DeviceError {
                "another program has grabbed it (\(reason)): 'sudo touchd devices' names it; stop that program, and touchd "
                    + "forwards a second later"
            } else {
                "\(error)"
            }
        }
    }
}
