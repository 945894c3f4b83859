import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import Service
import TouchKit

/// The parts of the service, connected as in `Daemon` for live devices.
final class EnduranceKiosk {
    let application = Application()
    let loop = EpollRunLoop.main
    private var counts: [Touch.Phase: Int] = [:]
    /// The touches that are down.
    private(set) var down: Set<Int> = []
    /// The number of phases out of order: a second begin or end, a move or an end of a touch that is not down.
    private(set) var mistakes = 0
    private(set) var handlerCount = 0
    private(set) var failures: [String: Int] = [:]
    let journal: JournalSender
    let control: ControlServer
    private let output: JournalOutput
    private let runner: HandlerRunner
    private let scene: Scene
    private let idle: IdleWatch?

    init(layout: String, journal path: String, control socket: String) throws {
        let journal = JournalSender(loop: loop, path: path)
        let logger = Logger(label: "touchd") { _ in JournalLogHandler(journal) }
        let runner = HandlerRunner(
            registry: HandlerRegistry(), application: application, loop: loop, logger: logger,
            deviceName: { "Panel \($0.rawValue)" })
        (self.journal, self.runner, output) = (journal, runner, JournalOutput(journal))
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
        scene = Scene(document, application: application) { runner.perform($0, for: $1) }
        idle = IdleWatch(document.idle, application: application) { runner.perform($0, for: $1) }
        runner.publisher = control
        runner.load(document)
        runner.scene = scene
        runner.didRun = { [unowned self] _, _, _ in handlerCount += 1 }
        runner.didFailLater = { [unowned self] name, failure in
            failures["\(name): \(failure)", default: 0] += 1
        }
        application.willDeliver = idle.map { idle in { idle.touched(at: $0.timestamp) } }
        application.didDeliver = { [unowned self] in delivered($0) }
        application.attach(to: loop, followsClock: false)
        scene.activate()
        idle?.start(waitingForTouch: true)
    }

    /// The number of deliveries in a phase.
    func count(_ phase: Touch.Phase) -> Int { counts[phase] ?? 0 }

    /// Stops as the service does.
    func close() {
        application.drainEvents()
        application.cancelAllTouches()
        application.detach()
        runner.close()
        control.close()
    }

    private func delivered(_ delivery: TouchDelivery) {
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
        if phase == .moved { return }
        output.write(
            TouchFacts(
                touch, phase: phase, deviceName: "Panel \(touch.device.rawValue)",
                page: scene.page(of: touch.view ?? touch.window)),
            handlers: delivery.handlerNames)
    }
}
