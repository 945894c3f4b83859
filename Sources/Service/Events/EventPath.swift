import ControlProtocol
import EventLoop
import Evdev
import Foundation
import Handlers
import Layout
import Logging
import Recordings
import TouchKit

/// The way of an event through the daemon: a device's frame to the queue, a delivery to journal, metrics and subscribers.
final class EventPath {
    let options: DaemonOptions
    let application: Application
    let loop: EpollRunLoop
    let logger: Logger
    let metrics: Metrics
    let deviceNames: DeviceNames
    let runner: HandlerRunner
    /// Where entries for the journal go, as far as this run has a journal.
    let journal: JournalSender?

    /// The layout's views; nil where a program builds its windows itself.
    private(set) var scene: Scene?
    /// Who receives events; nil where there is no control socket.
    var subscribers: ControlServer?
    /// What the subscribers of `inspection` receive; nil while there are none.
    var inspection: InspectionRecorder?
    /// The last minutes; nil where the layout does not keep them.
    private(set) var history: TouchHistory?

    var deviceRules: [DeviceRule] = []
    var monitor: DeviceMonitor?
    var attendance: AttendanceTimer?
    var player: RecordingPlayer?
    var journalOutput: JournalOutput?
    private(set) lazy var standardOutput = StandardStream(
        descriptor: STDOUT_FILENO, loop: loop,
        notice: options.output == .json
            ? { "{\"dropped\": \($0)}" } : { "(\($0) lines that nobody read are missing here)" },
        onBacklog: options.source.isLive ? nil : { [unowned self] isBehind in player?.isPaused = isBehind },
        onEnd: { [unowned self] error in didEnd(error) })

    /// Called when the status line may be another.
    var statusChanged: () -> Void = {}
    /// Called when the source or standard output has ended, with the error that ended it.
    var didEnd: ((any Error)?) -> Void = { _ in }

    /// Makes a path; no device is open yet.
    init(
        _ options: DaemonOptions, application: Application, loop: EpollRunLoop, logger: Logger, metrics: Metrics,
        deviceNames: DeviceNames, runner: HandlerRunner, journal: JournalSender?
    ) {
        self.options = options
        self.application = application
        self.loop = loop
        self.logger = logger
        self.metrics = metrics
        self.deviceNames = deviceNames
        self.runner = runner
        self.journal = journal
    }

    /// The devices, or the one of the recording that is played.
    var devices: [DeviceInfo] { monitor?.devices ?? player.map { [$0.info] } ?? [] }
    /// The devices after a test for grabs by other processes.
    var reportedDevices: [DeviceInfo] {
        monitor?.testGrabs()
        return devices
    }

    /// Follows a layout from now on: its screens, its device rules, what it keeps of the last minutes and what it journals.
    func follow(_ document: LayoutDocument, _ scene: Scene) {
        self.scene = scene
        keepTouches(document.recording)
        take(deviceRules: document.devices + [VirtualDevice.deviceRule])
        for device in devices { place(device) }
    }

    /// Gives a device the screen that the layout's rules name; touches that are down stay on theirs.
    func place(_ device: DeviceInfo) {
        guard let scene else { return }
        application.setScreen(scene.screen(named: device.settings.target) ?? .main, for: device.id)
    }

    // MARK: The last minutes

    /// Begins to keep what a layout asks for, or stops; what was kept is forgotten, as other views may have been private.
    private func keepTouches(_ spec: RecordingSpec?) {
        history = spec.map { spec in
            TouchHistory(span: spec.span) { [unowned self] in isPrivate($0, of: $1) }
        }
        monitor?.contactObserver = history?.opened
        player?.history = history
        // So that the first touch does not wait until all views were looked through.
        if history != nil { _ = scene?.isPrivate(.zero, on: .main) }
    }

    /// Whether a contact is at a private place, before its view is even looked for.
    private func isPrivate(_ contact: Contact, of device: DeviceID) -> Bool {
        let screen = application.screen(for: device)
        return scene?.isPrivate(screen.location(of: contact.position), on: screen) == true
    }

    /// Reveals a touch that begins in public; conceals it where it turns out to be private: what was shown when it was
    /// reported is not always what is shown when it is delivered, and a view elsewhere may redirect to a private one.
    func judge(_ delivery: TouchDelivery, for history: TouchHistory) {
        let touch = delivery.touch
        guard let contact = touch.contact else { return }
        let place = touch.view ?? touch.window
        if place?.outermostPrivate != nil || scene?.isPrivate(touch.location(in: nil), on: touch.screen) != false {
            history.conceal(contact, of: touch.device)
        } else if delivery.phase == .began {
            history.reveal(contact, of: touch.device)
        }
    }
}
