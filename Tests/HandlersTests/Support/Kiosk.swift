import EventLoop
import Evdev
import Foundation
import Handlers
import Layout
import Logging
import TouchKit

/// A running layout with its handlers, and fingers; each frame advances its clock by 10 ms.
final class Kiosk {
    let application = Application()
    let loop: EpollRunLoop
    let log = LogRecorder()
    /// The number of times a device was named, and the last occasion that a handler ran for.
    private(set) var namedDevices = 0
    private(set) var lastOccasion: Occasion?
    let registry = HandlerRegistry()
    private(set) lazy var runner = HandlerRunner(
        registry: registry, application: application, loop: loop, logger: logger,
        deviceName: { [unowned self] _ in
            namedDevices += 1
            return "Panel"
        })
    private let logger: Logger
    private(set) var scene: Scene?
    private(set) var idle: IdleWatch?
    /// The time of the last frame, in microseconds.
    private(set) var clock: Int64 = 1_000_000
    private var lastContact: UInt32 = 0

    /// Creates a kiosk without a layout.
    init(logging level: Logger.Level = .info) throws {
        loop = try EpollRunLoop()
        var logger = log.logger
        logger.logLevel = level
        self.logger = logger
    }

    /// The facts of an occasion for a handler named `test`.
    func facts(of occasion: Occasion, _ arguments: [String: String] = [:]) -> OccasionFacts {
        lastOccasion = occasion
        return OccasionFacts(
            occasion, handler: "test", arguments: arguments,
            context: .init(
                deviceName: { _ in "Panel" }, page: { [unowned self] in scene?.page(of: $0) },
                now: { [application] in application.currentTime }))
    }

    /// Shows a layout in place of the previous one.
    func show(_ layout: String) throws {
        let document = try LayoutDocument(text: layout, file: "kiosk.yaml", handlers: registry.registeredNames)
        scene?.deactivate()
        let scene = Scene(document, application: application) { [runner] step, occasion in
            runner.perform(step, for: occasion)
        }
        runner.load(document)
        runner.scene = scene
        scene.activate()
        self.scene = scene
        idle = IdleWatch(document.idle, application: application, after: idle) { [runner] step, occasion in
            runner.perform(step, for: occasion)
        }
        application.willDeliver = idle.map { idle in { idle.touched(at: $0.timestamp) } }
        idle?.start(waitingForTouch: true)
    }

    /// Puts a finger down and returns it.
    @discardableResult
    func down(_ x: Double, _ y: Double) -> UInt32 {
        lastContact += 1
        send(.began, lastContact, x, y)
        return lastContact
    }

    func move(_ finger: UInt32, _ x: Double, _ y: Double) { send(.moved, finger, x, y) }
    func lift(_ finger: UInt32, _ x: Double, _ y: Double) { send(.ended, finger, x, y) }
    func tap(_ x: Double, _ y: Double) { lift(down(x, y), x, y) }

    /// Advances the time without touches, in seconds.
    func pass(_ seconds: Double) {
        clock += Int64(seconds * 1e6)
        application.advanceTime(to: InputTimestamp(microseconds: clock))
    }

    private func send(_ phase: Contact.Phase, _ id: UInt32, _ x: Double, _ y: Double) {
        clock += 10_000
        let size = scene?.document.screens[0].size ?? Screen.main.bounds.size
        let contact = Contact(id: id, phase: phase, position: SurfacePoint(x: x / size.width, y: y / size.height))
        application.enqueue(
            InputFrame(device: .init(rawValue: 77), timestamp: .init(microseconds: clock), contacts: [contact]))
        application.drainEvents()
    }
}
