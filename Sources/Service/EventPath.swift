import Basics
import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import Outputs
import TouchKit

/// The path of an event through the daemon: from a device's frame to the queue, from a delivery to journal, metrics and
/// subscribers.
package final class EventPath {
    let options: DaemonOptions
    let application: Application
    let loop: EpollRunLoop
    let logger: Logger
    let counts: Counts
    let deviceNames: DeviceNames
    let runner: HandlerRunner
    /// Sends entries to the journal; nil if this run does not log to the journal.
    let journal: JournalSender?

    let describer: Describer
    /// The clients of the control socket that get events.
    package let subscribers = Subscribers()
    var hasControlSocket = false
    /// The listeners, which report what happened, in order.
    var listeners: [any TouchListener] = []

    /// The layout's views; nil if the program creates its windows itself.
    private(set) var scene: Scene?
    /// Runs the layout's idle times; nil without any.
    var idle: IdleWatch? {
        didSet { arrangeObservers() }
    }
    /// Records events for the subscribers of `inspection`; nil without such subscribers.
    var inspection: InspectionRecorder? {
        didSet { arrangeObservers() }
    }
    /// The last minutes; nil if the layout does not keep them.
    private(set) var history: TouchHistory?

    /// Forwards the touches of panels whose rules have `forward`.
    private(set) lazy var forwarder = makeForwarder()
    var deviceRules: [DeviceRule] = []
    var monitor: DeviceMonitor?
    var presence: PresenceTimer?
    var player: RecordingPlayer?
    var touchJournal: TouchJournal?
    /// Sends touches as TUIO; nil unless the layout asks for it.
    private(set) var tuio: TUIOSender? {
        didSet { arrangeObservers() }
    }
    private(set) lazy var standardOutput = StandardStream(
        descriptor: STDOUT_FILENO, loop: loop,
        notice: options.output == .json
            ? { DroppedRecord(count: $0).text }
            : { "(\($0) lines are missing here: the reader was too slow)" },
        onBacklog: options.source.isLive ? nil : { [unowned self] isBehind in player?.isPaused = isBehind },
        onEnd: { [unowned self] error in didEnd(error) })

    /// Called when the first panel is forwarded, and when none is any more.
    var panelsChanged: () -> Void = {}
    /// Called when the status line may have changed.
    var statusChanged: () -> Void = {}
    /// The time at which the last touch began; nil before the first.
    var lastTouch: Date?
    /// Called when the source or standard output has ended, with the error if one ended it.
    var didEnd: ((any Error)?) -> Void = { _ in }

    package init(
        _ options: DaemonOptions, application: Application, loop: EpollRunLoop, logger: Logger, counts: Counts,
        deviceNames: DeviceNames, runner: HandlerRunner, journal: JournalSender?
    ) {
        self.options = options
        self.application = application
        self.loop = loop
        self.logger = logger
        self.counts = counts
        self.deviceNames = deviceNames
        describer = Describer { [deviceNames] in deviceNames[$0] }
        self.runner = runner
        self.journal = journal
    }

    /// The devices, or the device of the recording that is played.
    var devices: [DeviceInfo] { monitor?.devices ?? player.map { [$0.info] } ?? [] }
    /// The devices, after a check for grabs by other processes.
    var reportedDevices: [DeviceInfo] {
        monitor?.testGrabs()
        return devices
    }

    /// Applies a layout: its screens, device rules, recording of the last minutes and journal settings.
    package func follow(_ document: LayoutDocument, _ scene: Scene) {
        self.scene = scene
        describer.scene = scene
        scene.observer = self
        tuio?.finish()
        tuio = document.tuio.map { TUIOSender($0, scene: scene, loop: loop, after: tuio) }
        keepTouches(document.recording)
        limitTouchAge(by: document.watchdog)
        forwarder.follow(
            forwardsByDefault: document.forward.isDefault, cooldown: document.forward.cooldown,
            liftsCancelled: document.forward.liftsCancelled)
        apply(deviceRules: document.devices + VirtualDevice.deviceRules)
        for device in devices { place(device) }
    }

    /// Assigns the screen that the layout's rules name to a device. Touches that are down stay on their screen.
    package func place(_ device: DeviceInfo) {
        guard let scene else { return }
        application.setScreen(scene.screen(named: device.settings.target) ?? .main, for: device.id)
    }

    /// Drops touches that waited for too long; never those of a recording, whose clock is another one.
    func limitTouchAge(by spec: WatchdogSpec) {
        application.touchAgeLimit = options.source.isLive ? spec.touchAge / .seconds(1) : nil
    }

    // MARK: The last minutes

    /// Starts or stops recording as the layout asks. Discards the kept events, because the new layout may mark other
    /// views private.
    private func keepTouches(_ span: Duration?) {
        history = span.map { span in
            TouchHistory(span: span) { [unowned self] in isPrivate($0, of: $1) }
        }
        monitor?.contactObserver = history?.opened
        player?.history = history
    }

    /// Whether a contact is at a private location; checked before its view is hit-tested.
    private func isPrivate(_ contact: Contact, of device: DeviceID) -> Bool {
        let screen = application.screen(for: device)
        return scene?.isPrivate(screen.location(of: contact.position), on: screen) == true
    }

    /// Reveals a touch that begins at a public location; conceals one that turns out to be private: the page can change
    /// between report and delivery, and a view elsewhere may redirect to a private one.
    func updatePrivacy(_ delivery: TouchDelivery, for history: TouchHistory) {
        let touch = delivery.touch
        guard let contact = touch.contact else { return }
        if touch.isConcealed {
            history.conceal(contact, of: touch.device)
        } else if delivery.phase == .began {
            history.reveal(contact, of: touch.device)
        }
    }
}

/// Counts each delivered touch, and notifies the listeners.
extension EventPath: DeliveryObserver {
    /// Starts to report and count touches. Returns the observer that flushes the output before the loop sleeps, if any.
    package func observeDeliveries() -> RunLoopObserver? {
        // The journal comes before the clients: one that reacts finds the entry.
        listeners = [makeOutput(), subscribers].compactMap(\.self)
        arrangeObservers()
        return writesToStandardOutput ? standardOutput.flushFromLoop() : nil
    }

    /// Sets who sees the real touches, in order.
    func arrangeObservers() {
        let observers: [(any DeliveryObserver)?] = [
            // First: a handler of `woken` may cancel the touch, which then never reaches the program that draws.
            idle,
            // Before all that report whether a touch was forwarded.
            forwarder.observer,
            inspection, tuio, self,
        ]
        application.observers = observers.compactMap(\.self)
    }

    private func makeOutput() -> (any TouchListener)? {
        switch options.output {
        case .text: return StreamListener(standardOutput, moves: MoveSampler(perSecond: options.movesPerSecond ?? 0))
        case .json: return StreamListener(standardOutput, moves: nil)
        case .journal:
            touchJournal = journal.map { TouchJournal($0) }
            // A layout's `journal:` replaces this.
            touchJournal?.follow(hasTouches: true, movesPerSecond: options.movesPerSecond ?? 0)
            return touchJournal
        case nil: return nil
        }
    }

    private var writesToStandardOutput: Bool { options.output == .text || options.output == .json }

    package func didDeliver(_ delivery: TouchDelivery) {
        let touch = delivery.touch, phase = delivery.phase
        if phase == .stationary { return }
        counts.count(phase)
        if phase == .began {
            lastTouch = Date()
            statusChanged()
        }
        if let history { updatePrivacy(delivery, for: history) }
        notify(EventHeader(.touch, isStep: phase == .moved, touch: touch.id, time: touch.timestamp)) { [describer] in
            (.touch(describer.describe(touch, phase, handlers: delivery.handlerNames)), touch.view)
        }
        if phase == .ended || phase == .cancelled { describer.forget(touch) }
    }

    /// Notifies all listeners that want it; it is described once, and not at all if none does.
    func notify(_ header: EventHeader, _ describe: () -> (OutputEvent.Content, of: View?)) {
        for index in listeners.indices where listeners[index].wants(header) {
            let (content, view) = describe()
            let event = OutputEvent(content, header, publisher: describer.publisher(of: view))
            return notify(event, listeners[index], then: listeners[(index + 1)...])
        }
    }

    private func notify(_ event: OutputEvent, _ first: any TouchListener, then others: ArraySlice<any TouchListener>) {
        first.note(event)
        for listener in others where listener.wants(event.header) { listener.note(event) }
    }

    /// Writes the remaining output. Entries that the reader does not accept are lost; their number is reported.
    func finishOutput() {
        tuio?.finish()
        if writesToStandardOutput { standardOutput.finish() }
        if let lost = journal?.finish(), lost > 0 {
            StandardError.write(line: "touchd: \(lost) journal entries are lost, because journald did not accept them")
        }
    }

    /// Records the start of a handler.
    func begins(_ context: HandlerContext) {
        if case .touch(let touch, _) = context.cause { counts.handlerBegins(for: touch.timestamp) }
    }
}

/// Reports what happens in the layout besides touches: gestures, controls, pages, idle times and published messages.
extension EventPath: SceneObserver {
    package func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: GestureRecord.Trigger) {
        let time = application.currentTime
        notify(EventHeader(.gesture, isStep: trigger == .changed, time: time)) {
            (.gesture(describer.describe(recognizer, trigger, time: time)), recognizer.view)
        }
    }

    package func controlChanged(_ control: Control, _ change: ControlRecord.Change, _ event: Event?) {
        let time = event?.timestamp ?? application.currentTime
        notify(EventHeader(.control, time: time)) {
            let own = describer.describeForPublisher(control, change, time: time)
            return (.control(describer.describe(control, change, time: time), forPublisher: own), control)
        }
    }

    package func pressDropped() { counts.droppedPresses += 1 }

    package func pageShown(_ page: String) {
        statusChanged()
        notify(EventHeader(.page, time: application.currentTime)) {
            (.page(PageRecord(page: page, screen: scene?.screenName(ofPage: page))), nil)
        }
    }

    /// Reports that an idle time has passed, or that a screen is touched again.
    func idled(_ spec: IdleSpec, _ trigger: HandlerBinding.Trigger) {
        statusChanged()
        notify(EventHeader(.idle, time: application.currentTime)) {
            (.idle(IdleRecord(trigger: trigger == .woken ? .woken : .idle, after: spec.delay)), nil)
        }
    }

    /// Sends a handler's message to the subscribers, and reports to others that there was one. Without either, as when a
    /// layout is tried with the journal as output, it is logged.
    func publish(_ message: String, to topic: String, isPrivate: Bool) {
        subscribers.send(.published) { PublishedRecord(message, to: topic) }
        let told = isPrivate ? "(private)" : message
        notify(EventHeader(.published, time: application.currentTime)) {
            (.published(PublishedRecord(told, to: topic)), nil)
        }
        if !hasControlSocket, options.output == .journal || options.output == nil {
            logger.notice("published to \(topic): \(told)")
        }
    }
}

/// The touches that also reach the program that draws the screen.
extension EventPath {
    func makeForwarder() -> PanelForwarder {
        let forwarder = PanelForwarder(loop: loop) { [unowned self] in report($0, $1) }
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

    private func report(_ device: DeviceInfo, _ state: PanelForwarder.State) {
        let name = "\(device.path): \(device.description.name)"
        switch state {
        case .forwards(let node): log(.info, "\(name) is forwarded as \(node)", .panelForwarded, device)
        case .waits:
            log(.notice, "\(name) is forwarded as soon as no finger is down on it", .panelForwarded, device)
        case .failed(let reason): log(.error, "\(name) is not forwarded: \(reason)", .notForwarded, device)
        }
        publish(state.remark == nil ? .forwarded : .notForwarded, device, state.remark)
        statusChanged()
    }
}
