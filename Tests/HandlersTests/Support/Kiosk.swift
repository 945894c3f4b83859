import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import TouchKit
import TouchKitTesting

/// A running layout with its handlers, and fingers.
final class Kiosk: Stage {
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

    /// Creates a kiosk without a layout.
    init(logging level: Logger.Level = .info) throws {
        loop = try EpollRunLoop()
        var logger = log.logger
        logger.logLevel = level
        self.logger = logger
        super.init(Application())
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
}
