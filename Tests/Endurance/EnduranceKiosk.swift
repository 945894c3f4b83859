import ControlProtocol
import EventLoop
import Evdev
import Foundation
import Handlers
import Layout
import Logging
import Service
import TouchKit

/// The parts of the service, connected as in `Daemon` for live devices, with a made-up panel and a reader in journald's
/// place.
final class EnduranceKiosk {
    let application = Application()
    let loop = EpollRunLoop.main
    /// The time from a frame's last event until its handlers have run and its entries are sent, since the last `reset`.
    var latency = LatencyHistogram()
    private(set) var touches = TouchAccount()
    private(set) var handlerCount = 0
    private(set) var failures: [String: Int] = [:]
    let journal: JournalSender
    let control: ControlServer

    private let output: JournalOutput
    private let runner: HandlerRunner
    private let scene: Scene
    private let idle: IdleWatch?
    private let panel: DeviceID
    private let panelInfo: DeviceInfo
    private var pipeline: FramePipeline?
    private var fed = Deadline.now

    /// Starts the kiosk.
    init(layout: String, panel description: DeviceDescription, journal path: String, control socket: String) throws {
        let loop = loop, application = application
        let journal = JournalSender(loop: loop, path: path)
        self.journal = journal
        output = JournalOutput(journal)
        let logger = Logger(label: "touchd") { _ in JournalLogHandler(journal) }
        let runner = HandlerRunner(
            registry: HandlerRegistry(), application: application, loop: loop, logger: logger,
            deviceName: { $0.rawValue == 1 ? "Wall" : "Recorded" })
        self.runner = runner
        control = ControlServer(socket: try ListeningSocket(path: socket), loop: loop, logger: logger) {
            (request, client) throws(ControlError) in
            guard case .subscribe(let topics, let moves, _) = request else {
                throw ControlError(.unavailable, "this is a rehearsal")
            }
            (client.topics, client.wantsMoves) = (topics, moves)
            return .object([:])
        }
        let document = try LayoutDocument(path: layout, handlers: HandlerRegistry.builtinNames)
        let findings = runner.prepare(for: document)
        guard findings.isEmpty else { throw LayoutError(.invalid, findings) }
        let scene = Scene(document, application: application) { step, occasion in
            runner.perform(step, for: occasion)
        }
        self.scene = scene
        idle = IdleWatch(document.idle, application: application) { step, occasion in
            runner.perform(step, for: occasion)
        }
        panel = DeviceID(rawValue: 1)
        panelInfo = DeviceInfo(
            id: panel, path: "/dev/input/event0", description: description, role: DeviceRole(description), use: .used,
            settings: DeviceSettings(description: description, path: "", properties: [:]))

        runner.publisher = control
        runner.load(document)
        runner.scene = scene
        runner.didRun = { [unowned self] _, _, _ in handlerCount += 1 }
        runner.didFailLater = { [unowned self] name, failure in failures["\(name): \(failure)", default: 0] += 1 }
        application.willDeliver = idle.map { idle in { idle.touched(at: $0.timestamp) } }
        application.didDeliver = { [unowned self] in delivered($0) }
        application.attach(to: loop, followsClock: false)
        scene.activate()
        idle?.start(waitingForTouch: true)
        plugIn()
    }

    /// Feeds a report of the panel: everything up to a `SYN_REPORT`.
    func feed(_ events: [InputEvent]) {
        for event in events.dropLast() { pipeline?.feed(event) }
        if let last = events.last {
            fed = .now
            pipeline?.feed(last)
        }
    }

    /// Queues a frame of another device.
    func enqueue(_ frame: borrowing InputFrame) { application.enqueue(frame) }

    /// Unplugs the panel, whatever is down on it, and plugs it in again.
    func replug(at time: InputTimestamp) {
        pipeline?.cancelAll(at: time)
        application.enqueueRemoval(of: panel, at: time)
        plugIn()
    }

    /// Stops as the service does.
    func close(at time: InputTimestamp) {
        pipeline?.cancelAll(at: time)
        application.drainEvents()
        application.cancelAllTouches()
        application.detach()
        runner.close()
        control.close()
    }

    private func plugIn() {
        pipeline = FramePipeline(panelInfo) { [application] frame in application.enqueue(frame) }
    }

    private func delivered(_ delivery: TouchDelivery) {
        guard delivery.phase != .stationary else { return }
        touches.record(delivery)
        if delivery.phase != .moved {
            let touch = delivery.touch
            let device = touch.device == panel ? "Wall" : "Recorded"
            output.write(
                TouchFacts(
                    touch, phase: delivery.phase, deviceName: device, page: scene.page(of: touch.view ?? touch.window)),
                handlers: delivery.handlerNames)
        }
        latency.record(Deadline.now - fed)
    }
}

/// Counts the delivered touches.
struct TouchAccount {
    /// The number of touches in each phase.
    private(set) var began = 0, moved = 0, ended = 0, cancelled = 0
    /// The number of phases out of order: a second begin or end, a move or an end of a touch that is not down.
    private(set) var mistakes = 0
    private var down: Set<Int> = []

    /// The number of touches that are down.
    var downCount: Int { down.count }

    mutating func record(_ delivery: TouchDelivery) {
        let touch = delivery.touch.id
        switch delivery.phase {
        case .began:
            began += 1
            if !down.insert(touch).inserted { mistakes += 1 }
        case .moved:
            moved += 1
            if !down.contains(touch) { mistakes += 1 }
        case .ended:
            ended += 1
            if down.remove(touch) == nil { mistakes += 1 }
        case .cancelled:
            cancelled += 1
            if down.remove(touch) == nil { mistakes += 1 }
        case .stationary: break
        }
    }
}
