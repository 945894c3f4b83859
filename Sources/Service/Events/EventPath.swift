import ControlProtocol
import EventLoop
import Evdev
import Forwarding
import Foundation
import Handlers
import Layout
import Logging
import Outputs
import Recordings
import TouchKit

/// The path of an event through the daemon: from a device's frame to the queue, from a delivery to journal, metrics and
/// subscribers.
package final class EventPath {
    let options: DaemonOptions
    let application: Application
    let loop: EpollRunLoop
    let logger: Logger
    let metrics: Metrics
    let deviceNames: DeviceNames
    let runner: HandlerRunner
    /// Sends entries to the journal; nil if this run does not log to the journal.
    let journal: JournalSender?

    /// Makes the records of touches, gestures and controls.
    let describer: Describer
    /// The clients of the control socket that get events.
    package let subscribers = Subscribers()
    /// Whether programs can connect to the control socket.
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
    var journalListener: JournalListener?
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

    /// Creates a path; no device is open yet.
    package init(
        _ options: DaemonOptions, application: Application, loop: EpollRunLoop, logger: Logger, metrics: Metrics,
        deviceNames: DeviceNames, runner: HandlerRunner, journal: JournalSender?
    ) {
        self.options = options
        self.application = application
        self.loop = loop
        self.logger = logger
        self.metrics = metrics
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
        sendTUIO(document.tuio, scene)
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

    /// Starts or stops sending touches as the layout asks.
    private func sendTUIO(_ spec: TUIOSpec?, _ scene: Scene) {
        tuio?.finish()
        tuio = spec.map { TUIOSender($0, scene: scene, loop: loop, after: tuio) }
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
        // Warms the cache of private views, so that the first touch does not wait for it.
        if history != nil { _ = scene?.isPrivate(.zero, on: .main) }
    }

    /// Whether a contact is at a private location; checked before its view is hit-tested.
    private func isPrivate(_ contact: Contact, of device: DeviceID) -> Bool {
        let screen = application.screen(for: device)
        return scene?.isPrivate(screen.location(of: contact.position), on: screen) == true
    }

    /// Reveals a touch that begins at a public location; conceals one that turns out to be private. The page can change
    /// between report and delivery, and a view elsewhere may redirect to a private one.
    func updatePrivacy(_ delivery: TouchDelivery, for history: TouchHistory) {
        let touch = delivery.touch
        guard let contact = touch.contact else { return }
        if Sight(touch.view ?? touch.window).isConcealed
            || scene?.isPrivate(touch.location(in: nil), on: touch.screen) != false
        {
            history.conceal(contact, of: touch.device)
        } else if delivery.phase == .began {
            history.reveal(contact, of: touch.device)
        }
    }
}

/// The device names that logs use.
package final class DeviceNames {
    private var names: [DeviceID: String] = [:]

    package init() {}

    /// The kernel's name of a device; kept after the device is removed.
    package subscript(device: DeviceID) -> String {
        get { names[device] ?? "device \(device.rawValue)" }
        set { names[device] = newValue }
    }
}
