import EventLoop
import Evdev
import Foundation
import Handlers
import Layout
import TouchKit

/// A layout at work with its handlers, on which fingers can be put; frames carry its clock on, 10 ms each.
final class Kiosk {
    let application = Application.shared
    let loop: EpollRunLoop
    let log = LogRecorder()
    let registry = HandlerRegistry()
    let runner: HandlerRunner
    private(set) var scene: Scene?
    /// The time of the last frame, in microseconds; later than that of any kiosk before, as the application is the process's.
    private(set) var clock: Int64
    private var lastContact: UInt32 = 0

    /// Makes a kiosk without a layout.
    init() throws {
        loop = try EpollRunLoop()
        clock = Int64(Application.shared.currentTime * 1e6) + 1_000_000
        runner = HandlerRunner(
            registry: registry, application: application, loop: loop, logger: log.logger, deviceName: { _ in "Panel" })
    }

    /// Shows a layout, in place of the one before.
    func show(_ layout: String) throws {
        let document = try LayoutDocument(text: layout, file: "kiosk.yaml", handlers: registry.registeredNames)
        scene?.deactivate()
        let scene = Scene(document) { [runner] step, occasion in runner.perform(step, for: occasion) }
        runner.define(document.handlers)
        runner.scene = scene
        Screen.main.bounds.size = document.screens[0].size
        scene.activate()
        self.scene = scene
    }

    /// Takes the layout away and what is down with it; to be called at the end of a test, as windows are the process's.
    func close() {
        runner.touchBreak.finish()
        scene?.deactivate()
        application.cancelAllTouches()
        application.willDeliver = nil
        log.clear()
    }

    /// Puts a finger down and answers it.
    @discardableResult
    func down(_ x: Double, _ y: Double) -> UInt32 {
        lastContact += 1
        send(.began, lastContact, x, y)
        return lastContact
    }

    func move(_ finger: UInt32, _ x: Double, _ y: Double) { send(.moved, finger, x, y) }
    func lift(_ finger: UInt32, _ x: Double, _ y: Double) { send(.ended, finger, x, y) }
    func tap(_ x: Double, _ y: Double) { lift(down(x, y), x, y) }

    /// Lets time go by with nobody touching anything, in seconds.
    func pass(_ seconds: Double) {
        clock += Int64(seconds * 1e6)
        application.advanceTime(to: InputTimestamp(microseconds: clock))
    }

    private func send(_ phase: Contact.Phase, _ id: UInt32, _ x: Double, _ y: Double) {
        clock += 10_000
        let size = Screen.main.bounds.size
        let contact = Contact(id: id, phase: phase, position: SurfacePoint(x: x / size.width, y: y / size.height))
        application.enqueue(
            InputFrame(device: .init(rawValue: 77), timestamp: .init(microseconds: clock), contacts: [contact]))
        application.drainEvents()
    }
}
