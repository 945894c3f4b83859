import ControlProtocol
import EventLoop
import Evdev
import Foundation
import Handlers
import Layout
import Logging
import Outputs
import Service
import TouchKit

/// The parts of the service, connected as in `Daemon` for live devices, with a reader in journald's place.
final class EnduranceKiosk: DeliveryObserver, HandlerRunnerDelegate {
    let application = Application()
    let loop = EpollRunLoop.main
    /// The time from the last event of the wall until its handlers have run and its entries are sent.
    var latency = LatencyHistogram()
    /// When the wall's last event was fed.
    var fed = Deadline.now
    private(set) var counts: [Touch.Phase: Int] = [:]
    private(set) var down: Set<Int> = []
    /// The number of phases out of order: a second begin or end, a move or an end of a touch that is not down.
    private(set) var mistakes = 0
    private(set) var handlerCount = 0
    private(set) var failures: [String: Int] = [:]
    let journal: JournalSender
    let control: ControlServer
    private let output: TouchJournal
    private let subscribers = Subscribers()
    private let describer = Describer { EnduranceKiosk.name(of: $0) }
    private let runner: HandlerRunner
    private let scene: Scene
    private let idle: IdleWatch?

    init(layout: String, journal path: String, control socket: String) throws {
        let journal = JournalSender(loop: loop, path: path)
        let logger = Logger(label: "touchd") { _ in JournalLogHandler(journal) }
        let runner = HandlerRunner(
            registry: HandlerRegistry(), application: application, loop: loop, logger: logger,
            deviceName: { Self.name(of: $0) })
        (self.journal, self.runner, output) = (journal, runner, TouchJournal(journal))
        control = ControlServer(
            socket: try ListeningSocket(path: socket), subscribers: subscribers, loop: loop, logger: logger
        ) {
            (request, client) throws(ControlError) in
            guard case .subscribe(let topics, let moves, _) = request else {
                throw ControlError(.unavailable, "this is a rehearsal")
            }
            (client.subscriber.topics, client.subscriber.wantsMoves) = (topics, moves)
            return JSONWriter.object { _ in }
        }
        let document = try LayoutDocument(path: layout, handlers: HandlerRegistry.builtinNames)
        let findings = runner.prepare(for: document)
        guard findings.isEmpty else { throw LayoutError(.invalid, findings) }
        scene = Scene(document, application: application) { runner.perform($0, for: $1) }
        idle = IdleWatch(document.idle, application: application) { runner.perform($0, for: $1) }
        describer.scene = scene
        runner.delegate = self
        runner.load(document)
        runner.scene = scene
        application.observers = idle.map { [$0, self] } ?? [self]
        application.attach(to: loop, followsClock: false)
        scene.activate()
        idle?.start(waitingForTouch: true)
    }

    /// Stops as the service does.
    func close() {
        application.drainEvents()
        application.cancelAllTouches()
        application.detach()
        runner.close()
        control.close()
    }

    func handlerDidRun(_ name: String, for duration: Duration, failure: HandlerFailure?) { handlerCount += 1 }

    func handlerDidFailLater(_ name: String, _ failure: HandlerFailure) {
        failures["\(name): \(failure)", default: 0] += 1
    }

    func handlerWasDropped(_ name: String) {}

    func reloadLayout() {}

    func publish(_ message: String, to topic: String, isPrivate: Bool) {
        subscribers.send(.published) { PublishedRecord(time: 0, message, to: topic) }
    }

    private static func name(of device: DeviceID) -> String { device.rawValue == 1 ? "Wall" : "Recorded" }

    func didDeliver(_ delivery: TouchDelivery) {
        let (touch, phase) = (delivery.touch, delivery.phase)
        if phase == .stationary { return }
        counts[phase, default: 0] += 1
        let isInOrder =
            switch phase {
            case .began: down.insert(touch.id).inserted
            case .moved: down.contains(touch.id)
            default: down.remove(touch.id) != nil
            }
        if !isInOrder { mistakes += 1 }
        if phase != .moved {
            let record = describer.describe(touch, phase, handlers: delivery.handlerNames)
            output.note(OutputEvent(.touch(record), EventHeader(.touch, touch: touch.id, time: touch.timestamp)))
        }
        latency.record(Deadline.now - fed)
    }
}

/// A panel of the kiosk, and the reports of a recording of it.
final class EndurancePanel {
    private let info: DeviceInfo
    private let application: Application
    private var reports: [[InputEvent]] = [[]]
    /// The next report while the recording is playing.
    private var next: Int?
    private var pipeline: FramePipeline?

    init(_ path: String, device: UInt32, application: Application) throws {
        var reader = try RecordingReader(path: path)
        info = DeviceInfo(
            id: DeviceID(rawValue: device), path: path, description: reader.description,
            role: DeviceRole(reader.description), use: .used,
            settings: DeviceSettings(description: reader.description, path: path, properties: [:]))
        while let event = try reader.next() {
            reports[reports.count - 1].append(event)
            // SYN_REPORT of EV_SYN; both are 0.
            if event.type == 0, event.code == 0 { reports.append([]) }
        }
        self.application = application
        plugIn()
    }

    func feed(_ event: InputEvent) { pipeline?.feed(event) }

    /// Starts the recording, unless it is playing.
    func begin() { next = next ?? 0 }

    /// Plays the next report at a time if the recording is playing; returns its number of events.
    func play(at time: InputTimestamp) -> Int {
        guard let now = next else { return 0 }
        guard now < reports.count else {
            cancel(at: time)
            return 0
        }
        for event in reports[now] {
            feed(InputEvent(type: event.type, code: event.code, value: event.value, time: time))
        }
        next = now + 1
        return reports[now].count
    }

    /// Ends whatever is down, as at the end of a replay.
    func cancel(at time: InputTimestamp) {
        pipeline?.cancelAll(at: time)
        next = nil
    }

    /// Unplugs the panel, whatever is down on it, and plugs it in again.
    func replug(at time: InputTimestamp) {
        cancel(at: time)
        application.enqueueRemoval(of: info.id, at: time)
        plugIn()
    }

    private func plugIn() {
        pipeline = FramePipeline(info) { [application] frame in application.enqueue(frame) }
    }
}
